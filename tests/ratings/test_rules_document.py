from ratings.mahjong.rulesets import PARAMETERS
from tests.ratings.rules_document import DEPENDS, DOCUMENT, document


def test_the_document_of_the_rules_lists_every_parameter_as_it_is_declared() -> None:
    """If this fails: `python -m tests.ratings.rules_document` writes the tables again."""
    assert DOCUMENT.read_text("utf-8") == document()


def test_what_depends_on_other_rules_is_said_in_words() -> None:
    assert DEPENDS.keys() == {name for name, parameter in PARAMETERS.items() if callable(parameter.default)}
