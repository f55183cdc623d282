import { Type } from '@sinclair/typebox';
import { taskCompletion } from '../../../../../domain/shared/task-list.js';
import { component } from '../../openapi/component.js';

export const TaskCompletionSchema = component(
  'schemas/TaskCompletion',
  Type.Object(
    { count: Type.Integer(), completed_count: Type.Integer() },
    { description: 'Of the tasks (`- [ ] text`) in a description' },
  ),
);

export const presentTasks = (description: string) => {
  const { count, completed } = taskCompletion(description);
  return { count, completed_count: completed };
};
