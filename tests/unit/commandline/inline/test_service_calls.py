"""A program that deletes at a service is known by its library or its request; one that mocks the service is not."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.service_calls import deletes_at_service
from tests.support.table import each_of

URL = "'https://api.example.com/users/1'"


@pytest.mark.requirement("WRK-6")
@each_of(
    ("program", "expected"),
    [
        (f"import requests; requests.delete({URL})", True),
        (f"import requests; requests.patch({URL}, json={{}}); requests.delete({URL})", True),
        (f"# patch of today\nimport requests; requests.delete({URL})", True),
        ("import boto3; boto3.client('s3').delete_bucket(Bucket='b')  # patch", True),
        (f"from unittest import mock\nwith mock.patch('requests.delete'):\n  requests.delete({URL})", False),
        (f"with patch('requests.delete'):\n  requests.delete({URL})", False),
        (f"@patch.object(requests, 'delete')\ndef f(m):\n  requests.delete({URL})", False),
        (f"import responses\nrequests.delete({URL})", False),
        ("requests.delete('http://localhost:8000/users/1')", False),
        ("requests.delete('http://localhost:80@prod.example.com/users/1')", True),
        ("requests.delete('http://me:secret@127.0.0.1:8000/users/1')", False),
        (f"requests.get({URL})", False),
    ],
)
def test_a_program_that_deletes_at_a_service_is_known(program: str, expected: bool) -> None:
    assert deletes_at_service(program) is expected
