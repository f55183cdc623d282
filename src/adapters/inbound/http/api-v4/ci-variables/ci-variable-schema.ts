import { Type } from '@sinclair/typebox';
import type { OwnedVariable } from '../../../../../application/ci-variables/ci-variables.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

export const CiVariableSchema = component(
  'schemas/CiVariable',
  Type.Object({
    variable_type: Type.String({ description: '`env_var` or `file`' }),
    key: Type.String(),
    value: Type.String(),
    hidden: Type.Boolean({ description: 'Always false: whoever looks after a variable sees its value' }),
    protected: Type.Boolean({ description: 'Only jobs of protected branches and tags are given it' }),
    masked: Type.Boolean({ description: 'Runners keep its value out of logs' }),
    raw: Type.Boolean({ description: 'What looks like another variable in its value is left as it is' }),
    environment_scope: Type.String({ description: 'The environments whose jobs are given it' }),
    description: nullable(Type.String()),
  }),
);

export const presentCiVariable = (variable: OwnedVariable) => ({
  variable_type: variable.type,
  key: variable.key,
  value: variable.value,
  hidden: false,
  protected: variable.protected,
  masked: variable.masked,
  raw: variable.raw,
  environment_scope: variable.environmentScope,
  description: variable.description,
});
