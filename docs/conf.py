"""How the documentation site is built: `make docs`."""

import sys
from pathlib import Path

from kinegraph.version import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "kinegraph"
author = "The kinegraph authors"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    # in docs/_ext
    "api",
    "commands",
    "sources",
]
exclude_patterns = ["_build", "_ext"]

# docstrings write `name` for names and ``code`` for code; a name that has no page is shown as code
default_role = "py:obj"
autosummary_generate = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
highlight_language = "text"

html_theme = "pydata_sphinx_theme"
html_title = "kinegraph"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "kinegraph"},
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# the landing page has doors instead of a table of contents
html_sidebars = {"index": [], "gallery/index": []}
