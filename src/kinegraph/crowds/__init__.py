"""crowds"""
