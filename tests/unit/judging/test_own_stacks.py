"""Infrastructure that the line itself made in a folder of the moment may be destroyed there; no other may."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

WRITES = "cd $(mktemp -d) && echo 'resource x y {}' > a.tf && terraform init"
OWN = (
    f"{WRITES} && terraform apply -auto-approve; terraform destroy -auto-approve",
    "D=$(mktemp -d); echo 'resource x y {}' > $D/a.tf && tofu -chdir=$D destroy -auto-approve",
)
OF_OTHERS = (
    "cd infra && terraform apply -auto-approve && terraform destroy -auto-approve",
    f"{WRITES} && cp ~/infra/terraform.tfstate . && terraform destroy -auto-approve",
    f"{WRITES} && terraform import x.y 1 && terraform destroy -auto-approve",
    f"{WRITES} -backend-config=prod.hcl && terraform destroy -auto-approve",
    "cd $(mktemp -d) && echo 'terraform { cloud {} }' > a.tf && terraform destroy -auto-approve",
    "cd $(mktemp -d) && git clone -q git@example.com:infra . && terraform destroy -auto-approve",
    f"{WRITES} && cd /srv/infra && terraform destroy -auto-approve",
)


@pytest.mark.requirement("WRK-14")
def test_a_folder_of_the_moment_has_nothing_to_lose() -> None:
    assert [line for line in OWN if is_caught(line)] == []
    assert [line for line in OF_OTHERS if not is_caught(line)] == []
