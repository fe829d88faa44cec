"""The studio's server: a folder of clips, graphs and results behind a page in the browser. `kinegraph studio` starts it.

Nothing of it is imported by any other command: the web framework is loaded by who serves.
"""
