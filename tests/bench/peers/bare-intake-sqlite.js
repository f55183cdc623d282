// The limit on SQLite: the same rows by prepared statements with group commit, behind a bare node:http handler. With BENCH_INCIDENTS each new
// alert opens an incident, whose rows are as those of the first one, which the service has opened.
import Database from 'better-sqlite3';
import { serveBareIntake, sha256 } from './bare-intake-server.js';

const database = new Database(process.env.BENCH_DATABASE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');

const findIntegration = database.prepare(
  "select i.id, i.project_id, i.key_digest from alert_integrations i join projects p on p.id = i.project_id where p.full_path_key = ? and i.type = 'generic' and i.active",
);
const findOpen = database.prepare(
  "select id, iid, title from alerts where project_id = ? and fingerprint = ? and status <> 'resolved'",
);
const count = database.prepare('update alerts set events = events + 1, updated_at = ? where id = ?');
const nextNumber = database.prepare(
  'insert into project_counters (project_id, kind, last_number) values (?, ?, 1) on conflict (project_id, kind) do update set last_number = last_number + 1 returning last_number',
);
const open = database.prepare(
  `insert into alerts (project_id, integration_id, issue_id, iid, status, severity_rank, title, description, service, monitoring_tool, hosts, fingerprint, search_key, started_at, events, payload, created_at, updated_at)
   values (?, ?, ?, ?, 'triggered', 1, ?, ?, ?, ?, '[]', ?, ?, ?, 1, ?, ?, ?) returning id`,
);
const arrive = database.prepare(
  'insert into alert_arrivals (alert_id, outcome, reason, arrived_at) values (?, ?, ?, ?)',
);
const log = database.prepare(
  "insert into alert_deliveries (integration_id, outcome, reason, status, alert_iids, payload, received_at, expires_at) values (?, 'accepted', ?, 200, ?, ?, ?, ?)",
);

const withIncidents = process.env.BENCH_INCIDENTS === 'true';
const first = withIncidents
  ? database
      .prepare(
        `select i.id, i.author_id, i.description, i.search_key, i.severity, l.label_id, e.feed, e.action, e.target_type
         from issues i join subject_labels l on l.subject_id = i.id join activity_events e on e.subject_id = i.id or e.target_id = i.id limit 1`,
      )
      .get()
  : undefined;
const causes = database.prepare('select kind, actor_id, details from notification_causes').all();
const subject = database.prepare("insert into subjects (kind, project_id) values ('issue', ?) returning id");
const issue = database.prepare(
  `insert into issues (id, project_id, iid, kind, title, description, search_key, state, severity, confidential, author_id, created_at, updated_at)
   values (?, ?, ?, 'incident', ?, ?, ?, 'opened', ?, 0, ?, ?, ?)`,
);
const label = database.prepare('insert into subject_labels (subject_id, label_id) values (?, ?)');
const event = database.prepare(
  `insert into activity_events (feed, author_id, action, target_type, target_id, target_iid, target_title, subject_id, created_at)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
const cause = database.prepare(
  `insert into notification_causes (kind, project_id, subject_id, actor_id, details, told_up_to, created_at, expires_at)
   values (?, ?, ?, ?, ?, 0, ?, ?) returning id`,
);
const job = database.prepare(
  "insert into jobs (kind, payload, attempts, run_at, created_at) values ('bench', ?, 0, '9999-01-01T00:00:00.000Z', ?)",
);

const openIncident = (projectId, title, now) => {
  const { id } = subject.get(projectId);
  const { last_number: iid } = nextNumber.get(projectId, 'issue');
  issue.run(id, projectId, iid, title, first.description, first.search_key, first.severity, first.author_id, now, now);
  label.run(id, first.label_id);
  event.run(first.feed, first.author_id, first.action, first.target_type, id, iid, title, id, now);
  for (const { kind, actor_id: actorId, details } of causes) {
    const { id: causeId } = cause.get(kind, projectId, id, actorId, details, now, now);
    job.run(JSON.stringify({ causeId }), now);
  }
  return id;
};

const take = ({ integration, text }) => {
  const { title, description, service, monitoring_tool: tool, fingerprint } = JSON.parse(text);
  const now = new Date().toISOString();
  const digest = sha256(`string:${fingerprint}`);
  let alert = findOpen.get(integration.project_id, digest);
  const outcome = alert === undefined ? 'opened' : 'counted';
  if (alert === undefined) {
    const { last_number: iid } = nextNumber.get(integration.project_id, 'alert');
    const searched = `${title} ${description} ${service} ${tool}`.toLowerCase();
    const issueId = withIncidents ? openIncident(integration.project_id, title, now) : null;
    const { id } = open.get(
      integration.project_id,
      integration.id,
      issueId,
      iid,
      title,
      description,
      service,
      tool,
      digest,
      searched,
      now,
      text,
      now,
      now,
    );
    alert = { id, iid, title };
  } else count.run(now, alert.id);
  arrive.run(alert.id, outcome, outcome === 'opened' ? 'no_open_alert' : 'same_fingerprint', now);
  log.run(integration.id, outcome, JSON.stringify([alert.iid]), text, now, now);
  return [{ iid: alert.iid, title: alert.title }];
};

const takeGroup = database.transaction((group) => group.map(take));
serveBareIntake({ findIntegration: (path) => findIntegration.get(path), takeGroup: takeGroup.immediate });
