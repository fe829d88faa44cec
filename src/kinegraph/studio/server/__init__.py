"""What all rooms share: the server itself, its jobs, its workers, and what it refuses."""
