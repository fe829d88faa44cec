"""What there is to know of each format: a file each, found by `kinegraph.formats.format.FORMATS` when somebody asks for the formats.

To add a format, add a file here that registers it, and a test. It names the module that reads and writes; a small format can have its
``read`` and ``write`` in the same file, with ``codec=__name__``. These files are imported whenever formats are listed: import what is
heavy inside functions.
"""
