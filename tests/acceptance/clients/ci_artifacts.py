"""Files that a job left: by the job, by its branch, one by one, kept and removed."""
import json
import sys

import gitlab

url, token, project_id, job_id = sys.argv[1:5]
project = gitlab.Gitlab(url, private_token=token).projects.get(project_id)
job = project.jobs.get(job_id)
whole = job.artifacts()
parts = []
job.artifacts(streamed=True, action=parts.append)
by_branch = project.artifacts.download(ref_name="release/1", job="build")
one = job.artifact("out/a b.txt")
one_of_branch = project.artifacts.raw(ref_name="release/1", artifact_path="out/a b.txt", job="build")
expires = job.artifacts_expire_at is not None
job.keep_artifacts()
kept = project.jobs.get(job_id).artifacts_expire_at
job.delete_artifacts()
try:
    job.artifacts()
    gone = "there"
except gitlab.GitlabGetError as error:
    gone = error.response_code
project.artifacts.delete()
print(
    json.dumps(
        {
            "file": job.artifacts_file["filename"],
            "same": [whole == b"".join(parts), whole == by_branch, whole[:2].decode()],
            "files": [one.decode(), one_of_branch.decode()],
            "expiry": [expires, kept],
            "gone": gone,
        }
    )
)
