"""What was made: from a request to the pack that answers it, and what is kept of it."""
