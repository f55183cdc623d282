import tseslint from 'typescript-eslint';

const rule = (selector, message) => ({ selector, message });

// Everything that differs between databases lives in one folder; only the start of the process knows which one there is.
const DATABASE_WORDS = [
  rule(
    'Identifier[name=/sqlite|postgres/i]',
    'Databases are named in persistence/knex/dialect and in infrastructure only.',
  ),
  rule(
    'Literal[value=/sqlite|postgres/i]',
    'Databases are named in persistence/knex/dialect and in infrastructure only.',
  ),
];

const SYNCHRONOUS = [
  rule(':function[async=true]', 'The domain is synchronous.'),
  rule('AwaitExpression', 'The domain is synchronous.'),
  rule('TSTypeReference[typeName.name="Promise"]', 'The domain is synchronous.'),
];

const GIVEN_FROM_OUTSIDE = [
  rule('NewExpression[callee.name="Date"][arguments.length=0]', 'Time comes in as an argument or through the Clock.'),
  rule(
    'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    'Time comes in as an argument or through the Clock.',
  ),
  rule(
    'CallExpression[callee.object.name="Math"][callee.property.name="random"]',
    'Randomness comes in through a port.',
  ),
  rule('CallExpression[callee.name=/^random(UUID|Bytes|Int)$/]', 'Randomness comes in through a port.'),
];

const NAMED_EXPORTS = [rule('ExportDefaultDeclaration', 'Exports are named.')];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'data/'] },
  ...tseslint.configs.strictTypeChecked,
  {
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
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['src/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...NAMED_EXPORTS, ...DATABASE_WORDS] } },
  {
    files: ['src/application/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...NAMED_EXPORTS, ...DATABASE_WORDS, ...GIVEN_FROM_OUTSIDE] },
  },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...NAMED_EXPORTS, ...DATABASE_WORDS, ...GIVEN_FROM_OUTSIDE, ...SYNCHRONOUS],
    },
  },
  {
    files: ['src/adapters/outbound/persistence/knex/dialect/**/*.ts', 'src/infrastructure/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...NAMED_EXPORTS] },
  },
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
