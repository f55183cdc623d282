export const MAY_MAKE_TABLES = `select has_schema_privilege(current_schema(), 'create') as may`;

/** Of a process that serves: its name is behind this. */
const SERVES = 'gatehouse';
export const SERVERS = `select distinct application_name as name from pg_stat_activity
  where datname = current_database() and (application_name = '${SERVES}' or application_name like '${SERVES} node %')`;
