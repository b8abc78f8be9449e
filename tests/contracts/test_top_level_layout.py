"""The top level holds what the README's map promises, and nothing else."""

import subprocess

from compliance.config.environment import PROJECT

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "Makefile",
    "README.md",
    "compliance",
    "manage.py",
    "promotions",
    "pyproject.toml",
    "requirements.txt",
    "rounds",
    "templates",
    "tests",
}


def tracked_files() -> list[str]:
    return subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()


def test_the_top_level_is_exactly_this() -> None:
    assert {name.partition("/")[0] for name in tracked_files()} == TOP_LEVEL


def test_every_package_says_what_is_in_it() -> None:
    silent = [
        name
        for name in tracked_files()
        if name.endswith("/__init__.py")
        and name.split("/")[0] in ("compliance", "rounds", "promotions")
        and name.split("/")[-2] not in ("migrations", "management", "commands", "templatetags")
        and not (PROJECT / name).read_text().startswith('"""')
    ]
    assert silent == []
