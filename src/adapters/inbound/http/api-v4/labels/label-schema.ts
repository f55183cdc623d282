import { Type } from '@sinclair/typebox';
import { textColorOn, type Label } from '../../../../../domain/planning/label.js';
import { component } from '../../openapi/component.js';

export const LabelSchema = component(
  'schemas/Label',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    color: Type.String({ description: '#RRGGBB' }),
    text_color: Type.String({ description: 'Of the name upon that color' }),
    description: Type.String(),
  }),
);

export const presentLabel = ({ id, name, color, description }: Label) => ({
  id,
  name,
  color,
  text_color: textColorOn(color),
  description,
});
