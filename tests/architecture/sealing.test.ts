import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { SEALED_COLUMNS } from '../../src/adapters/outbound/persistence/knex/tables.js';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

/** What travels is opened by the previous key for as long as that is set; nothing in the database is to be sealed anew. */
const TRAVELS = 'travels';

/** Where each file that seals something puts it. */
const SEALED_BY: Readonly<Record<string, string>> = {
  'adapters/outbound/persistence/knex/shared/knex-mail-queue.ts': 'queued_mails.sealed_content',
  'adapters/outbound/security/aes-secret-box.ts': TRAVELS,
  'adapters/inbound/http/api-v4/events/event-routes.ts': TRAVELS,
  'adapters/inbound/http/pages/activity-pages.ts': TRAVELS,
  'adapters/inbound/http/pages/page-flash.ts': TRAVELS,
  'adapters/inbound/http/pagination/cursor.ts': TRAVELS,
  'application/alerts/alert-integrations.ts': 'alert_integrations.sealed_key',
  'application/ci-variables/ci-variables.ts': 'ci_variables.sealed_value',
  'application/error-tracking/error-tracking.ts': 'error_tracking_settings.sealed_token',
  'application/identity/two-factor.ts': 'users.two_factor_sealed_secret',
  'application/keys/host-keys.ts': 'ssh_host_keys.sealed_private_key',
  'application/mirrors/pull-mirrors.ts': 'pull_mirrors.sealed_credentials',
  'application/mirrors/remote-mirrors.ts': 'remote_mirrors.sealed_credentials',
  'application/notifications/unsubscribe-links.ts': TRAVELS,
  'application/oauth/signing-keys.ts': 'signing_keys.sealed_private_jwk',
  'application/pipelines/ci-jobs.ts': 'ci_jobs.sealed_variables',
  'application/pipelines/prepare-pipelines.ts': 'pipelines.sealed_variables',
  'application/pipelines/pipeline-schedules.ts': 'pipeline_schedules.sealed_variables',
  'application/pipelines/pipeline-triggers.ts': 'pipeline_triggers.sealed_token',
  'application/repositories/code-imports.ts': 'code_imports.sealed_credentials',
  'application/secret-key/check-secret-key.ts': 'secret_key_sentinels.sealed_text',
  'application/secret-key/rotate-secret-key.ts': TRAVELS,
  'infrastructure/storage-ends.ts': 'storage_control.sealed_successor',
  'application/webhooks/sealed-headers.ts': 'webhooks.sealed_header_values',
  'application/webhooks/webhooks.ts': 'webhooks.sealed_token',
};

const files = (readdirSync(SOURCES, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'));
const filesWith = (pattern: RegExp): readonly string[] =>
  files.filter((file) => pattern.test(readFileSync(join(SOURCES, file), 'utf8'))).sort();

describe('sealing under the secret key', () => {
  it('happens in files that are known, so that a rotation knows where the values are', () => {
    expect(filesWith(/\.seal\(/)).toEqual(Object.keys(SEALED_BY).sort());
  });

  it('fills every sealed column, and nothing else in the database', () => {
    const columns = Object.values(SEALED_BY).filter((place) => place !== TRAVELS);
    expect(columns.sort()).toEqual(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
  });

  it('is by boxes that are made where the service is composed, with both keys', () => {
    const makers = filesWith(/create(?:Aes|Rotating)SecretBox\(/);
    expect(makers).toEqual([
      'adapters/outbound/security/aes-secret-box.ts',
      'infrastructure/composition/platform.module.ts',
      'infrastructure/composition/stored-secrets.ts',
    ]);
  });
});
