"""CSV, a table with a row a frame."""

from kinegraph.formats.format import FORMATS, Format

FORMATS.register(
    Format(
        name="CSV",
        suffixes=(".csv",),
        use="Spreadsheets and notebooks.",
        help="Joint positions in a table, a row a frame, for spreadsheets and notebooks.",
        codec="kinegraph.formats.csv",
        reads=False,
        options=("units", "up", "what"),
        unit="m",
        titles={".csv": "CSV table"},
        shown=7,
    ),
    place=7,
)
