"""The routes of the studio, one module a subject."""
