declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import { Knex } from 'knex';
  export default class extends Knex.Client {}
}
declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  export default class extends Knex.Client {}
}
