"""Keys, tokens, rules, releases and hooks of a project, by stock python-gitlab. Prints what it saw as JSON."""

import json
import sys

import gitlab

from refusals import refused

url, token, key, deploy_key, project_id, other_id = sys.argv[1:7]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
client.auth()
project, other = client.projects.get(project_id), client.projects.get(other_id)

own = client.user.keys.create({"title": "laptop", "key": key})
seen["keys"] = [client.user.keys.get(own.id).title, [each.title for each in client.users.get(client.user.id).keys.list()]]
own.delete()
seen["keys_left"] = len(client.user.keys.list())

added = project.keys.create({"title": "robot", "key": deploy_key, "can_push": True})
other.keys.enable(added.id)
enabled = other.keys.get(added.id)
enabled.title = "machine"
enabled.save()
seen["deploy_keys"] = [other.keys.get(added.id).title, project.keys.get(added.id).can_push, len(project.keys.list())]
enabled.delete()
added.delete()
seen["deploy_keys_left"] = [len(project.keys.list()), len(other.keys.list())]

made = project.access_tokens.create({"name": "ci", "scopes": ["api"], "access_level": 30, "expires_at": "2999-01-01"})
robot = gitlab.Gitlab(url, private_token=made.token)
robot.auth()
# Releases of python-gitlab that are still about have no method for it.
rotated = client.http_post(f"/projects/{project.id}/access_tokens/{made.id}/rotate")
again = gitlab.Gitlab(url, private_token=rotated["token"])
again.auth()
seen["access_tokens"] = [
    made.access_level,
    robot.user.username.startswith(f"project_{project.id}_bot_"),
    refused(robot.auth)[0],
    again.user.id == robot.user.id,
    [each.name for each in project.access_tokens.list(state="active")],
]
project.access_tokens.delete(rotated["id"])
seen["access_tokens_left"] = len(project.access_tokens.list(state="active"))

deploy_token = project.deploytokens.create({"name": "ci", "scopes": ["read_repository"], "username": "robot"})
seen["deploy_tokens"] = [
    deploy_token.username,
    len(deploy_token.token) > 15,
    project.deploytokens.get(deploy_token.id).name,
    [hasattr(each, "token") for each in project.deploytokens.list()],
]
deploy_token.delete()
seen["deploy_tokens_left"] = len(project.deploytokens.list())

rule = project.protectedbranches.create({"name": "rel/*", "push_access_level": 40, "merge_access_level": 30})
seen["branch_rule"] = [
    project.protectedbranches.get("rel/*").push_access_levels[0]["access_level"],
    refused(lambda: project.protectedbranches.create({"name": "rel/*"})),
]
rule.delete()
seen["branch_rule_left"] = refused(lambda: project.protectedbranches.get("rel/*"))[0]
tags = project.protectedtags.create({"name": "v*", "create_access_level": 40})
seen["tag_rule"] = project.protectedtags.get("v*").create_access_levels[0]["access_level"]
tags.delete()

tag = project.tags.get("v1.0")
seen["tags"] = [tag.protected, refused(lambda: client.http_get(f"/projects/{project.id}/repository/tags/v1.0/signature"))]
release = project.releases.create({"tag_name": "v1.0", "name": "First", "description": "One"})
link = release.links.create({"name": "manual", "url": "https://example.com/manual", "link_type": "runbook"})
seen["release"] = [
    project.releases.get("v1.0").tag_path.endswith("/-/tags/v1.0"),
    [each.tag_name for each in project.releases.list()],
    release.links.get(link.id).link_type,
    refused(lambda: project.releases.create({"tag_name": "v1.0", "description": "Two"})),
    client.http_get(f"/projects/{project.id}/releases/permalink/latest")["tag_name"],
]
project.releases.delete("v1.0")
seen["release_left"] = refused(lambda: project.releases.get("v1.0"))[0]

hook = project.hooks.create({"url": "https://receiver.example/hook", "push_events": False, "tag_push_events": True})
seen["hook"] = [project.hooks.get(hook.id).tag_push_events, project.hooks.get(hook.id).push_events]
hook.delete()

address = f"/projects/{project.id}/repository"
head = client.http_head(f"{address}/files/README.md", ref="main")
seen["heads"] = [
    head["X-Gitlab-File-Name"],
    head["X-Gitlab-Size"],
    project.branches.head("main") is not None,
    project.commits.head("main") is not None,
]
note = project.commits.get("main").comments.create(
    {"note": "Here", "path": "link", "line": 1, "line_type": "new"}
)
seen["comment"] = note.note
commit = project.commits.get("feature/pumps")
picked = client.http_post(f"{address}/commits/{commit.id}/cherry_pick", post_data={"branch": "main", "dry_run": True})
seen["dry_run"] = picked["dry_run"]
seen["starrers"] = [each["user"]["username"] for each in client.http_list(f"/projects/{project.id}/starrers")]
project.star()
seen["starred"] = [each.id for each in client.users.get(client.user.id).starred_projects.list()] == [project.id]
seen["starrers_now"] = [each["user"]["username"] for each in client.http_list(f"/projects/{project.id}/starrers")]
seen["unstarred"] = [project.unstar(), client.projects.get(project.id).star_count][1]

print(json.dumps(seen))
