const MAY_KNOW = require('./.contexts.cjs');

const CONTEXT_FOLDERS = '^src/(?:application|domain)';

/** One rule a context: it knows itself, the shared words, and the contexts that are declared for it. */
const contextRules = Object.entries(MAY_KNOW).map(([context, others]) => ({
  name: `contexts-know-what-is-declared-${context}`,
  comment: `The ${context} context knows no other than .contexts.cjs says: hear of it by an event, or let it contribute to a list.`,
  severity: 'error',
  from: { path: `^src/application/${context}/` },
  to: {
    path: `${CONTEXT_FOLDERS}/`,
    pathNot: `${CONTEXT_FOLDERS}/(?:${[context, 'shared', ...others].join('|')})/`,
  },
}));

/** Who may import whom: see docs/architecture.md. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Files that import each other in a loop are one file in disguise.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'The domain knows rules only: no package, no node module, no other layer.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'domain-contexts-are-apart',
      comment: 'A context of the domain knows the shared words, its own, and of another no more than its identifiers.',
      severity: 'error',
      from: { path: '^src/domain/([^/]+)/' },
      to: {
        path: '^src/domain/',
        pathNot: ['^src/domain/$1/', '^src/domain/shared/', '^src/domain/[^/]+/identifiers\\.ts$'],
      },
    },
    {
      name: 'application-knows-no-technology',
      comment: 'A use case talks to the domain and to ports; which adapter answers is not its affair.',
      severity: 'error',
      from: { path: '^src/application/' },
      to: { pathNot: ['^src/application/', '^src/domain/', '^util$', '^node:util$'] },
    },
    {
      name: 'application-contexts-meet-at-ports-and-operations',
      comment: 'A context of the application reaches another only through a port or an operation of that other.',
      severity: 'error',
      from: { path: '^src/application/([^/]+)/' },
      to: {
        path: '^src/application/',
        pathNot: ['^src/application/$1/', '^src/application/shared/', '^src/application/[^/]+/(?:ports|operations)/'],
      },
    },
    {
      name: 'contexts-are-declared',
      comment: 'A context of the application stands in .contexts.cjs, with those that it may know.',
      severity: 'error',
      from: {
        path: '^src/application/',
        pathNot: `^src/application/(?:${['shared', ...Object.keys(MAY_KNOW)].join('|')})/`,
      },
      to: { path: '^src/' },
    },
    {
      name: 'shared-knows-no-context',
      comment: 'What all contexts share knows none of them but the words of the domain that events are told in.',
      severity: 'error',
      from: { path: '^src/application/shared/' },
      to: { path: '^src/application/', pathNot: '^src/application/shared/' },
    },
    ...contextRules,
    {
      name: 'inbound-never-outbound',
      comment: 'What is asked from outside does not know how things are stored or sent.',
      severity: 'error',
      from: { path: '^src/adapters/inbound/' },
      to: { path: '^src/adapters/outbound/' },
    },
    {
      name: 'outbound-serves-ports',
      comment: 'What stores and sends answers a port; which use case asks through it is not its affair.',
      severity: 'error',
      from: { path: '^src/adapters/outbound/' },
      to: { path: '^src/application/', pathNot: ['^src/application/shared/', '^src/application/[^/]+/ports/'] },
    },
    {
      name: 'outbound-never-inbound',
      comment: 'Storage and senders do not know who asks.',
      severity: 'error',
      from: { path: '^src/adapters/outbound/' },
      to: { path: '^src/adapters/inbound/' },
    },
    {
      name: 'adapters-never-infrastructure',
      comment: 'Only the start of the process knows all of it.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/infrastructure/' },
    },
    {
      name: 'only-infrastructure-wires',
      comment: 'The container is a matter of the start; everything else is handed what it needs.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/infrastructure/' },
      to: { path: '(^|/)(node_modules/)?inversify(/|$)' },
    },
    {
      name: 'packages-are-declared',
      comment: 'What serves uses the packages that package.json installs for serving, and files that exist.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
        // Types of packages that carry none are there while building only.
        pathNot: '(^|/)node_modules/@types/',
      },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'What serves must not need what tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tests/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
