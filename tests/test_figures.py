"""What the benchmarks make of their numbers."""

import bench_emitted
import figures
import pytest


def test_quartiles_of_rounds():
    assert figures.quartiles([5, 1, 4, 2, 3]) == (2, 3, 4)
    assert figures.quartiles([7]) == (7, 7, 7)


def test_ratios_are_of_rounds_and_not_of_medians():
    assert figures.ratios([1, 4, 9], [1, 2, 3]) == (1.5, 2, 2.5)
    with pytest.raises(ValueError):
        figures.ratios([1, 2], [1])


def test_figures_stand_beside_the_first_style_on_the_same_interpreter():
    results = bench_emitted.Figures()
    for every in (1000, 3000):
        results.add("3.11.7", "ours", {"hot": 2, "every": every, "symbols": 483})
        results.add("3.11.7", "published", {"hot": 3, "every": 2 * every, "symbols": 483})
    results.add("3.13.15t", "ours", {4: 9000})
    rows = [tuple(row.values()) for row in results.rows(["ours", "published"])]
    assert rows == [
        ("3.11.7", "hot call", "ns", "ours", 2, 2, 2, 1, 2),
        ("3.11.7", "hot call", "ns", "published", 3, 3, 3, 1.5, 2),
        ("3.11.7", "inspector of all", "us", "ours", 1.5, 2, 2.5, 1, 2),
        ("3.11.7", "inspector of all", "us", "published", 3, 4, 5, 2, 2),
        ("3.13.15t", "first call, 4 threads", "us", "ours", 9, 9, 9, 1, 1),
    ]


@pytest.mark.parametrize(("value", "text"), [(0.03123, "0.0312"), (1.46, "1.46"), (99.4, "99.4"), (123.4, "123"), (2638.2, "2638")])
def test_numbers_have_three_digits(value, text):
    assert bench_emitted.number(value) == text


def test_every_style_but_the_published_is_ours_with_edits(tmp_path):
    trees = bench_emitted.trees(tmp_path)
    loader = "cuda/bindings/_internal/driver_linux.pyx"
    ours = (bench_emitted.TARGET.tree / loader).read_text()
    assert list(trees) == ["ours", "published", "Lock", "RLock, busy flag", "std::call_once", "mutex each access"]
    same = {style: (tree / loader).read_text() == ours for style, tree in trees.items()}
    assert same == {style: style == "ours" for style in trees}
    assert not list(tmp_path.rglob("cydriver.pyx"))
