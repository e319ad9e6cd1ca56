"""Calls of MCP tools, judged by the hook's own road: by the name of the tool, and by what its arguments are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.guards.service import ToolCall
from holdfast.rooms.guards.settings import Settings
from tests.support.guarded import guards_in
from tests.support.roads import run

Call = tuple[str, dict[str, Any]]
DESTROY: tuple[Call, ...] = (
    ("github__delete_repository", {"owner": "a", "repo": "b"}),
    ("supabase__delete_project", {"id": "x"}),
    ("supabase__reset_branch", {"branch_id": "x"}),
    ("mongodb__drop-database", {"database": "shop"}),
    ("mongodb__delete-many", {"filter": {}}),
    ("postgres__truncateTable", {"table": "users"}),
    ("k8s__kubectl_delete", {"resourceType": "namespace", "name": "prod"}),
    ("k8s__delete_pod", {"name": "web"}),
    ("docker__remove_volume", {"name": "pg"}),
    ("redis__flushall", {}),
    ("redis__execute", {"command": "FLUSHALL"}),
    ("cloudflare__dns_delete_zone", {"zone": "example.org"}),
    ("git__git_reset", {"mode": "hard"}),
    ("git__git_push", {"force": True, "remote": "origin", "branch": "main"}),
    ("http__request", {"method": "DELETE", "url": "https://api.example.com/v1/customers/1"}),
    ("aws__call_aws", {"cli_command": "aws s3 rb s3://prod --force"}),
    ("term__send", {"input": "rm -rf ~/Documents"}),
    ("python__run", {"code": "import shutil\nshutil.rmtree('/srv/data')"}),
    ("jupyter__execute_code", {"code": "import shutil; shutil.rmtree('/srv/data')"}),
    ("x__run_code", {"code": "require('fs').rmSync('/srv/data', {recursive: true})"}),
    ("fs__move_file", {"source": "~/.ssh", "destination": "/tmp/x"}),
    ("pg__query", {"query": "SELECT 1; DROP TABLE users"}),
    ("pg__query", {"query": "-- one\n-- two\nDROP TABLE users"}),
    ("pg__run", {"raw_sql": "/* x */ delete from users"}),
    ("neo4j__write_cypher", {"query": "MATCH (n) DETACH DELETE n"}),
    ("mongo__run", {"query": "db.users.drop()"}),
    ("x__run", {"argv": ["rm", "-rf", "/etc"]}),
    ("x__run", {"program": "rm", "args": ["-rf", "/etc"]}),
    ("x__spawn", {"executable": "rm", "arguments": ["-rf", "/etc"]}),
    ("gmail__delete_emails", {"query": "in:all"}),
    ("outlook__purgeMessages", {"folder": "Inbox"}),
    ("drive__empty_trash", {}),
    ("contacts__delete_contacts", {"ids": ["a", "b"]}),
    ("k8s__kubectl", {"args": "delete ns prod"}),
    ("k8s__kubectl", {"args": ["delete", "ns", "prod"]}),
    ("k8s__run_kubectl", {"args": "delete ns prod"}),
    ("terraform__apply", {}),
    ("terraform__destroy", {"dir": "infra"}),
    ("tf__ExecuteTerraformCommand", {"command": "destroy", "working_directory": "/srv/infra"}),
    ("tf__ExecuteTerraformCommand", {"command": "apply", "working_directory": "/srv/infra"}),
    ("git__git", {"args": ["push", "--force", "origin", "main"]}),
    ("git__git", {"operation": "push", "force": True, "remote": "origin", "branch": "main"}),
    ("git__reset", {"mode": "hard"}),
    ("git__push", {"force": True, "remote": "origin", "branch": "main"}),
    ("helm__helm", {"args": "uninstall shop -n prod"}),
    ("helm__uninstall", {"release": "shop", "namespace": "prod"}),
    ("docker__docker_cli", {"command": "volume rm pgdata"}),
    ("npm__publish", {}),
    ("gh__gh", {"args": "repo delete acme/shop --yes"}),
    ("gcloud__run_gcloud_command", {"args": ["projects", "delete", "shop-prod"]}),
    ("shell__run", {"program": "kubectl", "args": "delete ns prod"}),
    ("shell__run", {"command": "kubectl", "args": "delete ns prod"}),
    ("flux__delete", {"kind": "kustomization", "name": "shop", "namespace": "flux-system"}),
    ("psql__run", {"args": "-c 'DROP DATABASE shop'"}),
    ("systemctl__systemctl", {"action": "disable", "args": "--now sshd"}),
    ("pulumi__pulumi-cli-up", {"workDir": "x", "stack": "prod"}),
    ("az__az", {"command": "group delete -n prod --yes"}),
)
PASS: tuple[Call, ...] = (
    ("github__search_code", {"query": "DROP TABLE users"}),
    ("context7__query-docs", {"query": "delete from users"}),
    ("search__query", {"query": "how to drop table users"}),
    ("sentry__find_projects", {"query": "delete from"}),
    ("github__get_file_contents", {"path": "a"}),
    ("github__create_issue", {"title": "drop table users", "body": "rm -rf ~"}),
    ("github__delete_branch", {"branch": "fix"}),
    ("memory__delete_entities", {"entityNames": ["a"]}),
    ("linear__delete_comment", {"id": "x"}),
    ("todo__delete_task", {"id": 1}),
    ("git__git_status", {"repo_path": "/x"}),
    ("git__git_commit", {"message": "reset --hard"}),
    ("git__git_push", {"remote": "origin", "branch": "fix"}),
    ("playwright__browser_close", {}),
    ("playwright__browser_evaluate", {"function": "() => document.title"}),
    ("slack__post_message", {"text": "rm -rf ~"}),
    ("notion__update_page", {"content": "DROP TABLE x"}),
    ("pg__query", {"sql": "select * from users"}),
    ("db__execute_sql", {"query": "insert into a values (1)"}),
    ("db__drop_table", {"table": "orders_test"}),
    ("mongodb__drop-collection", {"collection": "x", "dry_run": True}),
    ("redis__get", {"key": "a"}),
    ("redis__del", {"key": "a"}),
    ("http__request", {"method": "POST", "url": "http://localhost:3000/x"}),
    ("http__request", {"method": "GET", "url": "https://example.org/b"}),
    ("docker__list_containers", {}),
    ("docker__remove_container", {"id": "x"}),
    ("k8s__kubectl_get", {"resourceType": "pods"}),
    ("supabase__list_projects", {}),
    ("jupyter__execute_code", {"code": "print(1)"}),
    ("chrome__clear_cookies", {}),
    ("x__run", {"argv": ["ls", "-l"]}),
    ("x__run", {"program": "pytest", "args": ["-q"]}),
    ("x__configure", {"program": "rm"}),
    ("x__configure", {"args": ["-rf", "/etc"]}),
    ("gmail__delete_email", {"id": "a"}),
    ("gmail__search_emails", {"query": "delete"}),
    ("playwright__clear_console_messages", {}),
    ("drive__move_to_trash", {"id": "a"}),
    ("fs__edit_file", {"path": "src/a.py", "code": "shutil.rmtree('/')"}),
    ("tf__ExecuteTerraformCommand", {"command": "plan", "working_directory": "/srv/infra"}),
    ("terraform__validate", {}),
    ("terraform__get_provider_docs", {"provider": "aws"}),
    ("terraform__search_modules", {"query": "destroy"}),
    ("k8s__kubectl", {"args": "get pods -n prod"}),
    ("k8s__kubectl_describe", {"resourceType": "pod", "name": "web"}),
    ("terraform__plan", {"dir": "infra"}),
    ("aws__call_aws", {"cli_command": "aws s3 ls"}),
    ("git__git", {"operation": "status"}),
    ("git__status", {"repo_path": "/x"}),
    ("git__commit", {"message": "delete all users; rm -rf ~"}),
    ("git__checkout", {"branch": "x"}),
    ("helm__list", {"namespace": "prod"}),
    ("docker__docker_cli", {"command": "ps -a"}),
    ("docker__exec", {"container": "web", "command": "rm -rf /app/cache"}),
    ("docker__run", {"image": "node:20", "command": "npm test"}),
    ("npm__run", {"command": "test"}),
    ("npm__run_script", {"script": "build"}),
    ("gh__gh", {"args": "pr list"}),
    ("gcloud__run_gcloud_command", {"args": ["projects", "list"]}),
    ("vercel__list_deployments", {"projectId": "x"}),
    ("heroku__list_apps", {}),
    ("heroku__get_app_logs", {"app": "x"}),
    ("ansible__ping", {"hosts": "all"}),
    ("docker-mcp__list-containers", {}),
    ("docker-mcp__create-container", {"image": "nginx", "name": "rm"}),
    ("pulumi__preview", {"workDir": "x"}),
    ("aws-docs__search_documentation", {"search_phrase": "delete bucket"}),
    ("github__create_pull_request", {"title": "x", "body": "y"}),
    ("az__az", {"command": "group list"}),
)


@pytest.mark.requirement("WRK-7")
def test_what_a_tool_of_a_server_destroys_is_asked_about_and_the_rest_passes(tmp_path: Path) -> None:
    guards = guards_in(tmp_path / "own" / "guards", Settings())

    def passes(tool: str, arguments: dict[str, Any]) -> bool:
        name = f"mcp__{tool}"
        if guards.is_passed(name, arguments, ""):
            return True
        return run(guards.judge(ToolCall(name, arguments))).verdict.decision in ("allow", "warn")

    assert [call for call in DESTROY if passes(*call)] == []
    assert [call for call in PASS if not passes(*call)] == []
