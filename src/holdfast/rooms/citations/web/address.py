"""Which addresses may be asked: public ones, and those that the settings name. Pure.

Every hop is checked after its name was resolved, and the connection goes to the very address that was checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address

_SPECIAL = tuple(
    ip_network(each)
    for each in ("192.0.0.0/24", "192.88.99.0/24", "100::/64", "2001::/23", "3fff::/20", "5f00::/16", "fec0::/10")
)
"""Not public by IANA's registries, but so to some Python (3.11.7 has 192.0.0.192, a cloud's metadata, as global)."""
_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))


def is_public(address: Address) -> bool:
    """Is this an address of the public internet, whatever it is wrapped in?"""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and any(address in network for network in _NAT64):
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    if any(address.version == special.version and address in special for special in _SPECIAL):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings' exceptions: host names, addresses, networks."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[object, ...] = ()

    @classmethod
    def of(cls, allowed: Iterable[str]) -> Policy:
        """From what the settings list. What is no address or network is a host name."""
        hosts: set[str] = set()
        networks: list[object] = []
        for entry in allowed:
            try:
                networks.append(ip_network(entry, strict=False))
            except ValueError:
                hosts.add(entry.lower().rstrip("."))
        return cls(frozenset(hosts), tuple(networks))

    def allows(self, host: str, address: str) -> bool:
        """May `host`, which resolved to `address`, be asked?"""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if is_public(found) or host.lower().rstrip(".") in self.hosts:
            return True
        inner = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        return any(found in network or (inner and inner in network) for network in self.networks)  # type: ignore[operator]
