// The limit on SQLite: the same rows by prepared statements with group commit, behind a bare node:http handler.
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
  "insert into project_counters (project_id, kind, last_number) values (?, 'alert', 1) on conflict (project_id, kind) do update set last_number = last_number + 1 returning last_number",
);
const open = database.prepare(
  `insert into alerts (project_id, integration_id, iid, status, severity_rank, title, description, service, monitoring_tool, hosts, fingerprint, search_key, started_at, events, payload, created_at, updated_at)
   values (?, ?, ?, 'triggered', 1, ?, ?, ?, ?, '[]', ?, ?, ?, 1, ?, ?, ?) returning id`,
);
const arrive = database.prepare(
  'insert into alert_arrivals (alert_id, outcome, reason, arrived_at) values (?, ?, ?, ?)',
);
const log = database.prepare(
  "insert into alert_deliveries (integration_id, outcome, reason, status, alert_iids, payload, received_at, expires_at) values (?, 'accepted', ?, 200, ?, ?, ?, ?)",
);

const take = ({ integration, text }) => {
  const { title, description, service, monitoring_tool: tool, fingerprint } = JSON.parse(text);
  const now = new Date().toISOString();
  const digest = sha256(`string:${fingerprint}`);
  let alert = findOpen.get(integration.project_id, digest);
  const outcome = alert === undefined ? 'opened' : 'counted';
  if (alert === undefined) {
    const { last_number: iid } = nextNumber.get(integration.project_id);
    const searched = `${title} ${description} ${service} ${tool}`.toLowerCase();
    const { id } = open.get(
      integration.project_id,
      integration.id,
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
