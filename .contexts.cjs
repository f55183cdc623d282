/**
 * Which context of the application may know which other: its ports, its operations, and its part of the domain. Whoever has to act on
 * what another does, and may not know it, hears of it by an event (`application/shared/domain-events.ts`) or contributes to a list of
 * its own. No two contexts know each other, not even by way of a third.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
module.exports = {
  identity: [],
  oauth: ['identity'],
  workspace: ['identity'],
  activity: ['workspace', 'identity'],
  'error-tracking': [],
  collaboration: ['workspace', 'identity'],
  planning: ['collaboration', 'workspace'],
  alerts: ['planning', 'workspace', 'identity'],
  repositories: [],
  pipelines: ['repositories', 'workspace', 'identity'],
  'ci-variables': [],
  environments: ['pipelines', 'repositories', 'workspace', 'identity'],
  review: ['collaboration', 'pipelines', 'planning', 'repositories', 'workspace', 'identity'],
  keys: ['workspace', 'identity'],
  webhooks: [
    'collaboration',
    'environments',
    'pipelines',
    'planning',
    'repositories',
    'review',
    'workspace',
    'identity',
  ],
  mirrors: ['repositories'],
  invitations: ['workspace', 'identity'],
  audit: [
    'alerts',
    'ci-variables',
    'error-tracking',
    'invitations',
    'keys',
    'mirrors',
    'notifications',
    'oauth',
    'pipelines',
    'webhooks',
    'workspace',
    'identity',
  ],
  'secret-key': [],
  storage: [],
  templates: [],
  notifications: ['alerts', 'collaboration', 'workspace', 'identity'],
  snippets: ['collaboration', 'workspace', 'identity'],
  uploads: ['workspace', 'identity'],
};
