"""The studio's server: a folder of clips, graphs and results behind a page in the browser. `kinegraph studio` starts it.

`workspace` is the folder, `server` what all of it shares, `results` what was made; `rooms` are the page's rooms, a folder each.
Nothing of it is imported by any other command: the web framework is loaded by who serves.
"""
