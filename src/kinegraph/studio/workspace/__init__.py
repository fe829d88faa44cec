"""The folder that the studio shows, and the only one that it reads and writes."""
