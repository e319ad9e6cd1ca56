"""Real git repositories with a few source files, for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, as somebody with a name and without settings of the machine."""
    names = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    environment = {
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "PATH": "/usr/bin:/bin:/usr/local/bin",
    }
    done = subprocess.run(
        ["git", "-C", str(folder), *names, "-c", "protocol.file.allow=always", *words],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return done.stdout


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


SHOP: dict[str, str | bytes] = {
    "src/shop/__init__.py": "",
    "src/shop/tax.py": (
        '"""Taxes."""\n\n\ndef round_vat(amount):\n    """Round half up, as the law wants it."""\n    return amount\n'
    ),
    "src/shop/invoice.py": (
        "from shop.tax import round_vat\n\n\ndef make_invoice(items):\n    return round_vat(sum(items))\n"
    ),
    "src/shop/cart.py": "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n",
    "tests/test_tax.py": "from shop.tax import round_vat\n\n\ndef test_half_up():\n    assert round_vat(1.5) == 2\n",
    ".gitignore": "secret/\n",
    "secret/hidden.py": "def hidden_function():\n    pass\n",
    "README.md": "# Shop\n",
}
"""A small project: `tax.py` is used by `invoice.py` and tested by `test_tax.py`; `secret/` is ignored."""


def make_shop(root: Path) -> Path:
    """The small project, with one commit."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    write(root, SHOP)
    git(root, "add", ".")
    git(root, "commit", "-qm", "begin")
    return root
