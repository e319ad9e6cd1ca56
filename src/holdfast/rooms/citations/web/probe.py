"""The HTTP side: asks an origin about a page, without ever reading the page.

No redirect that the client would not follow, no cookies, no credentials, no proxy from the environment. A connection
is made to an address that the policy has just allowed, not to a name, so that a second look-up cannot lead elsewhere.
Deciding what an answer means is left to `rules`. This module is imported at the first WebFetch, not at the start.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from typing import Any

import httpcore2

from holdfast import __version__
from holdfast.rooms.citations import rules
from holdfast.rooms.citations.model import Look, OriginAnswer, Unseen, Validators
from holdfast.rooms.citations.web.address import Policy
from holdfast.rooms.citations.web.urls import host_of, next_hop

logging.getLogger("httpcore2").setLevel(logging.INFO)  # at debug it would write every header of every probe

HOPS = 5
CONNECTIONS = 16
_HEADERS = [
    # What WebFetch sends (2.1.325), so that origins which negotiate describe the same representation.
    (b"Accept", b"text/markdown, text/html, */*"),
    (b"Accept-Encoding", b"gzip, compress, deflate, br"),
    (b"User-Agent", b"holdfast/%s (citation check for Claude Code)" % __version__.encode()),
]
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

ResolvesHost = Callable[[str, int], Awaitable[list[str]]]


class AddressRefused(Exception):
    """The policy does not allow this address."""


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, as the system says."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class VettedBackend(httpcore2.AsyncNetworkBackend):
    """Resolves a host itself, refuses it when any of its addresses is not allowed, and connects to one that is."""

    def __init__(self, policy: Policy, resolver: ResolvesHost = resolve) -> None:
        self._policy = policy
        self._resolve = resolver
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's interface)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            addresses = await self._resolve(host, port)
        except OSError as error:
            raise httpcore2.ConnectError(f"{host} has no address ({error})") from error
        for address in addresses:
            if not self._policy.allows(host, address):
                raise AddressRefused(f"{host} is at {address}, which is not asked")
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore2.ConnectError as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class Prober:
    """Asks origins. One pool of connections, bounded."""

    def __init__(
        self, policy: Policy, now: Callable[[], int], ca_file: str = "", resolver: ResolvesHost = resolve
    ) -> None:
        self._now = now
        context = ssl.create_default_context()
        if ca_file:
            context.load_verify_locations(ca_file)
        self._public = Policy()
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context,
            max_connections=CONNECTIONS,
            max_keepalive_connections=CONNECTIONS // 2,
            keepalive_expiry=30.0,
            network_backend=VettedBackend(policy, resolver),
        )

    async def look(self, url: str, validators: Validators | None, *, method: str, seconds: float) -> Look:
        """What the origin says of `url`; with validators, whether it is still that version.

        Begins with `method`; a HEAD that is refused or leaves the question open is followed by a GET.
        """
        try:
            async with asyncio.timeout(seconds):
                seen = await self._follow(url, validators, method)
                if method == "HEAD" and rules.asks_again(seen, validators):
                    seen = await self._follow(url, validators, "GET")
                return seen
        except TimeoutError:
            return Unseen("slow", f"the origin did not answer within {seconds:g} s")
        except AddressRefused as error:
            return Unseen("refused", str(error))
        except (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, OSError) as error:
            return Unseen("unreachable", f"the origin could not be asked ({type(error).__name__}: {error})")

    async def _follow(self, url: str, validators: Validators | None, method: str) -> Look:
        is_private = False
        for _ in range(HOPS + 1):
            seen, location = await self._ask(url, validators, method)
            is_private = is_private or seen.is_private
            target = next_hop(url, location) if seen.status in _REDIRECTS and location else None
            if target is None:
                return replace(seen, is_private=is_private)
            url = target
        return Unseen("redirects", f"the origin redirected more than {HOPS} times")

    async def _ask(self, url: str, validators: Validators | None, method: str) -> tuple[OriginAnswer, str]:
        headers = list(_HEADERS)
        if validators is not None:
            name, value = rules.condition(validators)
            headers.append((name.encode(), value.encode("ascii")))
        # A body is not read: leaving the block gives its connection up. Where there can be none, the end of the message
        # is taken in, so that the connection is kept.
        async with self._pool.stream(method, url, headers=headers) as response:
            if method == "HEAD" or response.status == 304:
                await response.aread()
            fields: dict[str, str] = {}
            for raw_name, raw_value in response.headers:
                field, text = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
                fields[field] = f"{fields[field]}, {text}" if field in fields else text
            stream = response.extensions["network_stream"]
            address = str((stream.get_extra_info("server_addr") or ("",))[0])
            seen = OriginAnswer(
                status=response.status,
                final_url=url,
                etag=fields.get("etag"),
                last_modified=fields.get("last-modified"),
                date=fields.get("date"),
                content_type=fields.get("content-type", "").partition(";")[0].strip().lower(),
                cache_control=fields.get("cache-control", ""),
                vary=fields.get("vary", ""),
                sets_cookie="set-cookie" in fields,
                method=method,
                is_private=not self._public.allows(host_of(url), address),
                at_us=self._now(),
            )
            return seen, fields.get("location", "")

    async def close(self) -> None:
        await self._pool.aclose()
