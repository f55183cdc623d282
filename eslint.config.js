import comments from '@eslint-community/eslint-plugin-eslint-comments';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const rule = (selector, message) => ({ selector, message });

// Everything that differs between databases lives in one folder; only the start of the process knows which one there is.
const DATABASES_ARE_NAMED_ELSEWHERE = 'Databases are named in persistence/knex/dialect and in infrastructure only.';
const DATABASE_WORDS = [
  rule('Identifier[name=/sqlite|postgres/i]', DATABASES_ARE_NAMED_ELSEWHERE),
  rule('Literal[value=/sqlite|postgres/i]', DATABASES_ARE_NAMED_ELSEWHERE),
  rule('TemplateElement[value.raw=/sqlite|postgres/i]', DATABASES_ARE_NAMED_ELSEWHERE),
];

const THE_DOMAIN_IS_SYNCHRONOUS = 'The domain is synchronous.';
const SYNCHRONOUS = [
  rule(':function[async=true]', THE_DOMAIN_IS_SYNCHRONOUS),
  rule('AwaitExpression', THE_DOMAIN_IS_SYNCHRONOUS),
  rule('ForOfStatement[await=true]', THE_DOMAIN_IS_SYNCHRONOUS),
  rule('Identifier[name=/^Promise(Like)?$/]', THE_DOMAIN_IS_SYNCHRONOUS),
];

const TIME_IS_GIVEN = 'Time comes in as an argument or through the Clock.';
const RANDOMNESS_IS_GIVEN = 'Randomness comes in through a port.';
const RANDOM = '/^(randomUUID|randomBytes|randomInt|getRandomValues)$/';
const GIVEN_FROM_OUTSIDE = [
  rule('NewExpression[callee.name="Date"][arguments.length=0]', TIME_IS_GIVEN),
  rule('CallExpression[callee.name="Date"]', TIME_IS_GIVEN),
  rule('CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]', TIME_IS_GIVEN),
  rule('CallExpression[callee.object.name="Math"][callee.property.name="random"]', RANDOMNESS_IS_GIVEN),
  rule(`CallExpression[callee.name=${RANDOM}]`, RANDOMNESS_IS_GIVEN),
  rule(`CallExpression[callee.property.name=${RANDOM}]`, RANDOMNESS_IS_GIVEN),
];

const NAMED_EXPORTS = [
  rule('ExportDefaultDeclaration', 'Exports are named.'),
  rule('ExportSpecifier[exported.name="default"]', 'Exports are named.'),
];

// It takes n² steps for n combining marks.
const BOUNDED_NORMALIZATION = [
  rule(
    'CallExpression[callee.property.name="normalize"]',
    'Text is normalized by canonicalText, which bounds the work.',
  ),
];

// A permission comes from who decides it, an identifier from who reads it: a cast would forge either.
const CAST = ':matches(TSAsExpression, TSTypeAssertion)';
const IDENTIFIER = 'TSTypeReference[typeName.name=/^(User|Namespace|Group|Project)Id$/]';
const NOT_FORGED = [
  rule(
    `${CAST} TSTypeReference[typeName.name=/^(Permitted\\w*|VisibleIssue|VisibleSubject|VisibleMergeRequest|ChangeableMergeRequest)$/]`,
    'WorkspaceAccess hands permissions out.',
  ),
  rule(
    `${CAST} > ${IDENTIFIER}, ${CAST} > TSUnionType > ${IDENTIFIER}`,
    'Rows, and parameters by way of identifierIn, give identifiers their type.',
  ),
];

// Whoever calls a function with more has to count them; wiring hands over what it finds, and may.
const MOST_PARAMETERS = 4;
const MOST_PARAMETERS_OF_A_CONSTRUCTOR = 6;

const fewParameters = {
  create: (context) => ({
    ':function': (node) => {
      const constructs = node.parent.type === 'MethodDefinition' && node.parent.kind === 'constructor';
      const most = constructs ? MOST_PARAMETERS_OF_A_CONSTRUCTOR : MOST_PARAMETERS;
      const { length } = node.params;
      if (length > most) context.report({ node, message: `${length} parameters are too many: ${most} at most.` });
    },
  }),
};

const BUDGETS = {
  'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', { max: 12, variant: 'modified' }],
  'house/few-parameters': 'error',
};

// What is beyond a budget still. These lists only get shorter: whoever mends a file takes it out.
const TOO_LONG_STILL = [
  'src/infrastructure/composition/alerts.context.ts',
  'src/infrastructure/composition/http.module.ts',
  'src/infrastructure/composition/oauth.context.ts',
  'src/infrastructure/composition/repositories.context.ts',
];
const TOO_MANY_PARAMETERS_STILL = [
  'src/adapters/inbound/http/api-v4/repository/commits.ts',
  'src/adapters/outbound/persistence/knex/alerts/knex-delivery-repository.ts',
  'src/adapters/outbound/persistence/knex/notifications/knex-audience.ts',
  'src/application/alerts/incidents.ts',
  'src/application/identity/email-addresses.ts',
  'src/application/identity/new-password.ts',
  'src/application/identity/two-factor.ts',
  'src/application/notifications/notification-settings.ts',
  'src/application/oauth/authorize.ts',
  'src/application/workspace/members.ts',
  'src/application/workspace/workspace-access.ts',
];
const TOO_COMPLEX_STILL = [
  'src/adapters/inbound/http/pages/code/diff-lines.ts',
  'src/adapters/outbound/git/parse-diff.ts',
  'src/application/repositories/commit-actions.ts',
  'src/application/storage/compare-stores.ts',
];

const EVERYWHERE = [...NAMED_EXPORTS, ...BOUNDED_NORMALIZATION, ...NOT_FORGED];

export default defineConfig(
  { ignores: ['dist/', 'node_modules/', 'data/'] },
  tseslint.configs.strictTypeChecked,
  {
    plugins: { '@eslint-community/eslint-comments': comments },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.cjs', 'migrations/*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-unnecessary-type-conversion': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      // Whoever switches a rule off says which one, and why.
      '@eslint-community/eslint-comments/require-description': 'error',
      '@eslint-community/eslint-comments/no-unlimited-disable': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  // What these modules have to import by.
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['src/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...DATABASE_WORDS] } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/infrastructure/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'inversify', message: 'Only infrastructure wires; everything else is handed what it needs.' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/application/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...DATABASE_WORDS, ...GIVEN_FROM_OUTSIDE] },
  },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...EVERYWHERE, ...DATABASE_WORDS, ...GIVEN_FROM_OUTSIDE, ...SYNCHRONOUS],
    },
  },
  {
    files: ['src/adapters/outbound/persistence/knex/dialect/**/*.ts', 'src/infrastructure/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE] },
  },
  { files: ['src/**/*.ts'], plugins: { house: { rules: { 'few-parameters': fewParameters } } }, rules: BUDGETS },
  { files: ['src/infrastructure/composition/**/*.ts'], rules: { 'house/few-parameters': 'off' } },
  { files: TOO_LONG_STILL, rules: { 'max-lines-per-function': 'off' } },
  { files: TOO_MANY_PARAMETERS_STILL, rules: { 'house/few-parameters': 'off' } },
  { files: TOO_COMPLEX_STILL, rules: { complexity: 'off' } },
  {
    files: ['tests/**/*.ts', '**/*.d.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
