"""The package has types and documentation, and its examples work."""

import ast
import doctest
import inspect
from pathlib import Path

import pytest
from conftest import ROOT

import wallcrawler as wc
from wallcrawler import _wallcrawler


def stub() -> ast.Module:
    path = Path(_wallcrawler.__file__).with_name("_wallcrawler.pyi")
    return ast.parse(path.read_text())


def public(names) -> set[str]:
    return {name for name in names if not name.startswith("_") or name == "_repr_png_"}


def test_the_stubs_have_every_name_of_the_compiled_part():
    nodes = {node.name: node for node in stub().body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    for name in public(dir(_wallcrawler)) - {"SEED_CATALOG"}:
        assert name in nodes, name
    for name in ("Design", "Dungeon"):
        methods = {node.name for node in nodes[name].body if isinstance(node, ast.FunctionDef)}
        assert public(methods) == public(vars(getattr(_wallcrawler, name))), name
    for name in ("grow", "survey"):
        arguments = nodes[name].args
        names = [argument.arg for argument in arguments.args + arguments.kwonlyargs]
        assert names == list(inspect.signature(getattr(_wallcrawler, name)).parameters)
    assert Path(_wallcrawler.__file__).with_name("py.typed").exists()


def test_the_stubs_have_every_export_option():
    options = next(node for node in stub().body if getattr(node, "name", None) == "_ExportOptions")
    names = [node.target.id for node in options.body]
    with pytest.raises(ValueError) as caught:
        wc.Design.preset("first-steps").grow().export("png", unknown=1)
    assert str(caught.value).split("use one of ")[1].split(", ") == names


@pytest.mark.parametrize("name", ["grow", "grow_batches", "survey", "survey_batches"])
def test_seeds_may_be_a_numpy_array_or_an_iterator(name):
    # A NumPy array is iterable, but not a Sequence of the module typing.
    assert inspect.signature(getattr(wc, name)).parameters["seeds"].annotation == "Iterable[int]"


def test_everything_public_is_documented():
    for name in wc.__all__:
        thing = getattr(wc, name)
        if callable(thing):
            assert thing.__doc__, name
    for kind in (wc.Design, wc.Dungeon):
        for name in public(vars(kind)):
            assert getattr(kind, name).__doc__, name


def test_tables_are_those_of_the_program():
    assert ("path", "steps") == next((name, unit) for name, unit, _ in wc.metrics() if name == "path")
    assert ("png", ["png"]) == next((name, endings) for name, endings, _ in wc.export_kinds() if name == "png")
    assert len(wc.presets()) == len(list((ROOT / "presets").glob("*.toml")))


@pytest.mark.parametrize("page", ["bindings/python/README.md", "assets/guide/python.md"])
def test_the_examples_of_a_page_work(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=flags)
    assert result.attempted > 5 and result.failed == 0


def test_the_examples_of_the_module_work():
    result = doctest.testmod(wc, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted and not result.failed
