"""What python-gitlab finds of each change from V3 to V4 about what people do around a change, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

from refusals import refused

url, token, admin_token, project_id = sys.argv[1:5]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
client.auth()
admin = gitlab.Gitlab(url, private_token=admin_token)
project = client.projects.get(project_id)
here = f"/projects/{project.id}"


def gone(ask):
    """The status of what an address or parameter of V3 is refused with."""
    return refused(ask)[0]


issue, request = project.issues.get(1), project.mergerequests.get(1)

listed = client.http_list(f"{here}/merge_requests", query_data={"iid[]": 2})
seen["iids"] = [[each.iid for each in project.mergerequests.list(iids=[2])], len(listed)]

found = client.http_get(f"/projects/merge_requests/{request.id}")
seen["merge_request"] = [
    [found["iid"], found["project_id"] == project.id],
    gone(lambda: client.http_get(f"{here}/merge_request/{request.id}")),
    gone(lambda: client.http_get(f"/projects/merge_request/{request.id}")),
]

snippet = project.snippets.create({"title": "Kept", "file_name": "a", "content": "a", "visibility": "public"})
shown = [snippet, project.snippets.get(snippet.id), *project.snippets.list()]
seen["expires_at"] = ["expires_at" in each.attributes for each in shown]

issue.todo()
request.todo()
first = client.todos.list()[0]
old_one = gone(lambda: client.http_delete(f"/todos/{first.id}"))
first.mark_as_done()
seen["todo"] = [old_one, client.todos.list(state="done")[0].id == first.id, len(client.todos.list())]
old_all = gone(lambda: client.http_delete("/todos"))
client.todos.mark_all_as_done()
seen["todos"] = [old_all, len(client.todos.list())]

seen["templates"] = {}
for kind, manager, key in (
    ("licenses", client.licenses, "mit"),
    ("gitignores", client.gitignores, "Python"),
    ("platform_ci_ymls", client.gitlabciymls, "Nodejs"),
    ("dockerfiles", client.dockerfiles, "Node"),
):
    there = client.http_get(f"/templates/{kind}/{key}")
    seen["templates"][kind] = [
        manager.get(key).content == there["content"],
        len(manager.list(all=True)) == len(client.http_list(f"/templates/{kind}", all=True)),
        gone(lambda: client.http_get(f"/{kind}")),
        gone(lambda: client.http_get(f"/{kind}/{key}")),
    ]

seen["subscribe"] = []
for manager, subject in ((project.issues, issue), (project.mergerequests, request)):
    subject.unsubscribe()
    left = manager.get(subject.iid).subscribed
    subject.subscribe()
    old = f"{manager.path}/{subject.iid}/subscription"
    there = manager.get(subject.iid).subscribed
    seen["subscribe"].append([left, there, gone(lambda: client.http_post(old)), gone(lambda: client.http_delete(old))])

before = {"merge_when_build_succeeds": True}
after = {"merge_when_pipeline_succeeds": True}
field = "merge_when_pipeline_succeeds"
merging = project.mergerequests.get(3)
seen["cancel"] = [
    isinstance(merging.cancel_merge_when_pipeline_succeeds(), dict),
    gone(lambda: client.http_post(f"{merging.manager.path}/3/cancel_merge_when_build_succeeds")),
]
merging.merge(merge_when_pipeline_succeeds=True)
seen["merge"] = project.mergerequests.get(3).state
made = [client.projects.create({"name": f"Made {index}", **sent}) for index, sent in enumerate((before, after))]
seen["made"] = [each.attributes[field] for each in made]
owner = admin.users.get(client.user.id)
owned = [owner.projects.create({"name": f"Owned {index}", **sent}) for index, sent in enumerate((before, after))]
seen["made_for"] = [each.attributes[field] for each in owned]
saved = [client.http_put(f"/projects/{made[0].id}", post_data={**sent, "name": "Saved"})[field] for sent in (before, after)]
seen["saved"] = saved

lists = [project.issues, client.issues, project.mergerequests, client.mergerequests]
seen["subscribed"] = [
    ["subscribed" in each.attributes for each in manager.list()[:1]] for manager in lists
] + [["subscribed" in each.attributes for each in (issue, request)]]

seen["iid"] = {
    "numbers": [issue.iid, request.iid],
    "by_id": [
        gone(lambda: project.issues.get(issue.id)),
        gone(lambda: project.mergerequests.get(request.id)),
    ],
}
for name, subject in (("issues", issue), ("merge_requests", request)):
    award = subject.awardemojis.create({"name": "tada"})
    subject.todo()
    todo = client.todos.list()[0]
    subject.time_estimate("2h")
    at = f"{here}/{name}/{subject.id}"
    seen["iid"][name] = [
        award.awardable_id == subject.id,
        [todo.target["iid"], todo.target["id"] == subject.id],
        subject.manager.get(subject.iid).time_stats()["human_time_estimate"],
        [
            gone(lambda: client.http_list(f"{at}/award_emoji")),
            gone(lambda: client.http_post(f"{at}/todo")),
            gone(lambda: client.http_get(f"{at}/time_stats")),
        ],
    ]
client.todos.mark_all_as_done()

print(json.dumps(seen))
