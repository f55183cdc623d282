// Knex publishes its clients without types, and its client without the one method that every query passes through.
import 'knex';

declare module 'knex' {
  namespace Knex {
    interface Client {
      _query(connection: unknown, query: unknown): Promise<unknown>;
    }
  }
}
