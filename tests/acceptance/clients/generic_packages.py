"""Files of packages: sent, fetched, listed and removed."""
import json
import sys
import tempfile

import gitlab

url, token, project_id, group_id = sys.argv[1:5]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    file.write(b"by python")
    file.flush()
    sent = project.generic_packages.upload("tools", "3.0.0", "tool.txt", file.name)
fetched = project.generic_packages.download("tools", "3.0.0", "tool.txt")
parts = []
project.generic_packages.download("tools", "3.0.0", "tool.txt", streamed=True, action=parts.append)
package = project.packages.list(package_name="tools", order_by="version", sort="desc")[0]
files = package.package_files.list()
of_group = client.groups.get(group_id).packages.list(get_all=True)
one = [package.version, package.package_type, project.packages.get(package.id).name]
shown = [[each.file_name, each.size] for each in files]
files[0].delete()
left = len(package.package_files.list())
package.delete()
try:
    project.packages.get(package.id)
    gone = "there"
except gitlab.GitlabGetError as error:
    gone = error.response_code
print(
    json.dumps(
        {
            "sent": sent.message,
            "fetched": [fetched.decode(), b"".join(parts).decode()],
            "package": one,
            "files": shown,
            "ofGroup": sorted({each.project_path for each in of_group}),
            "left": left,
            "gone": gone,
        }
    )
)
