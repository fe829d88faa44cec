"""The experiments, by document; each registers itself."""
