"""Does a program written inline delete at a service, by a library for it or by a request? Pure; linear.

A library of a service is known by its import. What it deletes is not on this machine, whatever the method is called.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.patterns import lazy_pattern

_LIBRARY = lazy_pattern(
    r"\b(?:import|from)\s+(?:wandb|mlflow|boto3|aioboto3|google\.cloud|googleapiclient|azure|kubernetes|stripe|github|gitlab|"
    r"huggingface_hub|digitalocean|hcloud|linode_api4|cloudflare|datadog\w*|sentry_sdk|sendgrid|mailchimp\w*|twilio|slack_sdk|"
    r"notion_client|shopify|hubspot|simple_salesforce|auth0|okta|jira|atlassian|confluent_kafka|pinecone|weaviate|qdrant_client|"
    r"openai|comet_ml|neptune|clearml|dropbox|b2sdk|minio|openstack|oci|ovh|snowflake|databricks|firebase_admin|algoliasearch|"
    r"meilisearch|opensearchpy|elasticsearch|contentful_management|zenpy|pygsheets|gspread|docker_registry_client)\b|"
    r"\b(?:require\s*\(?|from|import)\s*['\"](?:@aws-sdk/|aws-sdk|@google-cloud/|googleapis|@azure/|@kubernetes/|stripe|@octokit/|"
    r"octokit|@gitbeaker|gitlab|firebase-admin|@shopify/|@sendgrid/|twilio|@slack/|@notionhq/|auth0|cloudflare|algoliasearch|"
    r"@pinecone|@sanity/|contentful-management|google/cloud|azure|kubeclient|heroku|@linear/|@hubspot/|dropbox|minio)"
)
_DELETES = lazy_pattern(
    r"(?:\.|\b)(?:delete|terminate|destroy|purge)(?:_\w+|[A-Z]\w*)?\s*\(|&:(?:delete|destroy)\b|"
    r"\bDelete[A-Z]\w*Command\b"
)
_ENDS = lazy_pattern(
    r"(?<!\bos)\.(?:remove|cancel|del|revoke|archive|deactivate|unregister|drop)(?:_\w+|[A-Z]\w*)?\s*\("
)
"""Methods that lists, dictionaries and tasks have too: they count where a listing is walked."""
_WALKS = lazy_pattern(
    r"\b(?:for|while)\b[^\n]{0,300}(?:\.|\b)(?:list|search|all|runs|iter|find|scan|get_\w+|auto_paging_iter|pag\w+)\w*\(|"
    r"\.(?:forEach|each|autoPagingEach|eachPage)\b"
)
_REQUEST = lazy_pattern(
    r"\.(?:delete|del)\s*\(?\s*[fFrRbB]{0,2}['\"`]https?://(?!(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)[:/'\"`])|"
    r"\b(?:requests|httpx|axios|got|ky|superagent|HTTParty|Faraday|RestClient|session|client)\.delete\s*\(|"
    r"\bmethod['\"]?\s*[:=]\s*['\"`]DELETE['\"`]|\brequest\s*\(\s*['\"`]DELETE['\"`]|\bNet::HTTP::Delete\b|"
    r"\bNet::HTTP\b[^\n]{0,200}\.delete\s*\(?\s*['\"]/"
)
_ADDRESS = lazy_pattern(
    r"https?://(?:[^@/\s'\"<>]{0,200}@)?[\w.\[:-]+|\bNet::HTTP(?:\.new|\.start)\(\s*['\"]([\w.-]+)|\bHTTPS?Connection\(\s*['\"]([\w.-]+)"
)
_LOCAL = lazy_pattern(
    r"(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|host\.docker\.internal|testserver|test)(?:[:/]|\Z)"
)
_MOCKED = lazy_pattern(
    r"\b(?:responses|respx|requests_mock|httpx_mock|nock|msw|httpretty|aioresponses|MockTransport|TestClient|test_client|"
    r"moto|mock_aws|localstack|MagicMock)\b|(?:\bmock\.|@)patch\b|\bpatch\.(?:object|dict)\b|"
    r"(?<![\w.])patch\(\s*['\"][\w.]+['\"]"
)


def deletes_at_service(text: str) -> bool:
    """Does the program delete something at a service that is not on this machine?"""
    by_library = _LIBRARY.search(text) is not None and (
        _DELETES.search(text) is not None or (_ENDS.search(text) is not None and _WALKS.search(text) is not None)
    )
    if not by_library and _REQUEST.search(text) is None:
        return False
    if _MOCKED.search(text) is not None:
        return False
    hosts = [_host(match.group(0), match.group(1) or match.group(2)) for match in _ADDRESS.finditer(text)]
    if by_library:
        return not hosts or not all(map(_is_local, hosts))
    return any(not _is_local(host) for host in hosts)


def _host(address: str, named: str | None) -> str:
    return named or address.partition("://")[2].rpartition("@")[2]  # a name before the @ is no host


def _is_local(host: str) -> bool:
    return _LOCAL.match(host) is not None


_REACHES_MACHINES = lazy_pattern(
    r"\b(?:paramiko|netmiko|fabric|asyncssh|scrapli|napalm|telnetlib\w*|pexpect|pssh|spur|ConnectHandler|Net::SSH|Net::Telnet|node-ssh|"
    r"ssh2|phpseclib\w*|Expect)\b"
)
_TOLD_THERE = lazy_pattern(
    r"(?:\.|->)\s?(?:exec_command|send_command\w{0,20}|send_config_set|send_line|sendline|send|run|sudo|exec!?|execCommand|run_command|cli|"
    r"cmd|write|put_command)\s?\(\s?\[?((?:\s?[rbf]?(?:\"[^\"\n]{1,500}\"|'[^'\n]{1,500}'),?){1,20})"
)
_SAID = lazy_pattern(r"\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'")


def remote_commands(text: str) -> Iterator[str]:
    """Commands that a program types at other machines, by a library for that: `client.exec_command('rm -rf /srv')`."""
    if _REACHES_MACHINES.search(text) is None:
        return
    for call in _TOLD_THERE.finditer(text):
        yield from (first or second for first, second in _SAID.findall(call[1]))
