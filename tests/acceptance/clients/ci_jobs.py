"""Jobs of a CI file: run, looked at, run again, and the runners that take them."""
import json
import sys
import urllib.request

import gitlab

url, token, project_id = sys.argv[1:4]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
made = client.http_post("/user/runners", post_data={"runner_type": "project_type", "project_id": project_id})
runner = client.runners.get(made["id"])
group = client.groups.create({"name": "With runners", "path": "with-runners"})
made_for_group = client.http_post("/user/runners", post_data={"runner_type": "group_type", "group_id": group.id})
of_group = client.runners.get(made_for_group["id"])
of_group.paused = True
of_group.save()


def call(method, path, **fields):
    request = urllib.request.Request(
        f"{url}/api/v4{path}", json.dumps(fields).encode(), {"Content-Type": "application/json"}, method=method
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or b"null")


pipeline = project.pipelines.create({"ref": "main", "variables": [{"key": "COLOR", "value": "red"}]})
taken = call("POST", "/jobs/request", token=made["token"])
call("PUT", f"/jobs/{taken['id']}", token=taken["token"], state="failed", failure_reason="script_failure")
job = project.jobs.get(taken["id"])
failed = job.status
job.retry()
again = [one.status for one in pipeline.jobs.list()]
waiting = project.jobs.get(pipeline.jobs.list()[0].id)
waiting.cancel()
pipeline.refresh()
canceled = pipeline.status
pipeline.retry()
pipeline.cancel()
trigger = project.triggers.create({"description": "Nightly"})
trigger.description = "Weekly"
trigger.save()
started = project.trigger_pipeline("main", trigger.token, variables={"COLOR": "green"})
triggers = [one.description for one in project.triggers.list()]
trigger.delete()
schedule = project.pipelineschedules.create({"ref": "main", "description": "Nightly", "cron": "0 4 * * *"})
schedule.cron_timezone = "Europe/Berlin"
schedule.save()
variable = schedule.variables.create({"key": "COLOR", "value": "red"})
schedule.variables.update("COLOR", {"key": "COLOR", "value": "blue"})
schedule.variables.create({"key": "SIZE", "value": "7"})
schedule.variables.delete("SIZE")
schedule.take_ownership()
schedule_id = schedule.id
schedule.play()
scheduled = project.pipelineschedules.get(schedule_id)
of_schedule = project.pipelines.get(scheduled.last_pipeline["id"])
scheduled_as = [
    scheduled.cron_timezone,
    scheduled.owner["username"],
    [[one["key"], one["value"]] for one in scheduled.attributes["variables"]],
    of_schedule.source,
    [[one.key, one.value] for one in of_schedule.variables.list()],
    [one.description for one in project.pipelineschedules.list(scope="active")],
]
scheduled.delete()
print(
    json.dumps(
        {
            "pipeline": [pipeline.source, pipeline.ref],
            "variables": [[one.key, one.value] for one in pipeline.variables.list()],
            "failed": [failed, job.attributes["failure_reason"], job.stage, job.trace().decode()],
            "again": again,
            "canceled": canceled,
            "runner": [runner.status, client.runners.get(made["id"]).status],
            "of_group": [
                [one.runner_type, one.is_shared, one.paused] for one in group.runners.list(type="group_type")
            ]
            + [[one["name"] for one in of_group.groups]],
            "of_project": len(project.runners.list()),
            "triggered": [started.source, started.variables.list()[0].value, triggers, len(project.triggers.list())],
            "scheduled": scheduled_as + [len(project.pipelineschedules.list())],
            "jobs": len(project.jobs.list(scope="failed")),
        }
    )
)
