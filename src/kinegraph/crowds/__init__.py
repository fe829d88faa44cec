"""Crowds."""
