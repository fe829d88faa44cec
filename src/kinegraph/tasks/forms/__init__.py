"""How wishes are written: as words of a command, as JSON of a request, and as Python. One class a form.

A wish names its form (`kinegraph.wishes.Wish.form`); most are numbers, words and flags, whose type says it. Another form is
another class with `register`.
"""

from __future__ import annotations

from kinegraph.tasks.forms import floor as floor
from kinegraph.tasks.forms import plain as plain
from kinegraph.tasks.forms.form import Form as Form
from kinegraph.tasks.forms.form import form as form
from kinegraph.tasks.forms.form import metres as metres
from kinegraph.tasks.forms.form import number as number
from kinegraph.tasks.forms.form import register as register
from kinegraph.tasks.forms.form import text as text
