"""What a call only tries, and what it does to a cloud that runs on this machine."""

from __future__ import annotations

import pytest

from holdfast.commandline.effects.dry_runs import is_local_cloud

HERE, THERE = "http://localhost:4566", "https://s3.amazonaws.com"


@pytest.mark.requirement("WRK-7")
def test_a_variable_of_another_service_makes_no_cloud_local() -> None:
    for program, call, environment, is_local in (
        ("aws", "dynamodb delete-table", {"AWS_ENDPOINT_URL": HERE}, True),
        ("aws", "s3 rb s3://t --force", {"AWS_ENDPOINT_URL_S3": HERE}, True),
        ("aws", "s3api delete-bucket", {"AWS_ENDPOINT_URL_S3": HERE}, True),
        ("aws", "ec2 terminate-instances", {"AWS_ENDPOINT_URL_S3": HERE}, False),
        ("aws", "s3 rb s3://t --force", {"AWS_ENDPOINT_URL": HERE, "AWS_ENDPOINT_URL_S3": THERE}, False),
        ("aws", f"s3 rb s3://t --endpoint-url {THERE}", {"AWS_ENDPOINT_URL": HERE}, False),
        ("aws", "s3 rb s3://t", {"AWS_ENDPOINT_URL": "http://localhost.example.com"}, False),
        ("gcloud", "spanner databases delete d", {"CLOUDSDK_API_ENDPOINT_OVERRIDES_SPANNER": HERE}, True),
        ("gcloud", "sql instances delete d", {"CLOUDSDK_API_ENDPOINT_OVERRIDES_SPANNER": HERE}, False),
        ("gsutil", "rm -r gs://t", {"STORAGE_EMULATOR_HOST": HERE}, False),
        ("s3cmd", "rb s3://t", {"AWS_ENDPOINT_URL": HERE}, False),
    ):
        texts = call.split()
        assert is_local_cloud(program, texts, texts, environment.items()) is is_local, (program, call, environment)
