"""Which addresses may be asked."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from holdfast.rooms.citations.web.address import Policy, is_public
from tests.support.table import each_of


@pytest.mark.requirement("CIT-6")
@each_of(
    ("address", "public"),
    [
        *[
            (each, True)
            for each in ("93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101")
        ],
        *[(each, False) for each in ("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1")],
        *[(each, False) for each in ("169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1")],
        *[(each, False) for each in ("224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fc00::1")],
        *[
            (each, False)
            for each in ("fec0::1", "ff02::1", "fd00:ec2::254", "::ffff:127.0.0.1", "::ffff:169.254.169.254")
        ],
        *[(each, False) for each in ("2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2001:db8::1")],
    ],
)
def test_public(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public
    assert Policy().allows("any.host", address) is public


@pytest.mark.requirement("CIT-6")
@pytest.mark.parametrize(
    ("allowed", "host", "address", "may"),
    [
        ("10.0.0.0/8", "x", "10.1.2.3", True),
        ("10.0.0.0/8", "x", "11.1.2.3", True),
        ("10.0.0.0/8", "x", "192.168.1.1", False),
        ("127.0.0.1", "x", "127.0.0.1", True),
        ("127.0.0.1", "x", "::ffff:127.0.0.1", True),
        ("127.0.0.1", "x", "127.0.0.2", False),
        ("Docs.Corp.Example.", "docs.corp.example", "10.1.2.3", True),
        ("docs.corp.example", "evil.docs.corp.example", "10.1.2.3", False),
        ("fd00::/8", "x", "fd00::1", True),
        ("fe80::/10", "x", "fe80::1%eth0", True),
        ("10.0.0.0/8", "x", "not an address", False),
    ],
)
def test_exceptions(allowed: str, host: str, address: str, may: bool) -> None:
    assert Policy.of([allowed]).allows(host, address) is may
