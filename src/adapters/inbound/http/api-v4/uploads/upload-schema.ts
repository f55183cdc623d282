import { Type } from '@sinclair/typebox';
import type { UploadDetails } from '../../../../../application/uploads/ports/upload-ports.js';
import { markdownOf, uploadAddress, type Upload } from '../../../../../domain/uploads/upload.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

export const NewUploadSchema = component(
  'schemas/NewUpload',
  Type.Object({
    id: Type.Integer(),
    alt: Type.String({ description: 'What the file is called here' }),
    url: Type.String({ description: 'Where it is, in texts of the project' }),
    full_path: Type.String({ description: 'Where it is, everywhere' }),
    markdown: Type.String({ description: 'What leads to it in a text of the project; a picture is shown' }),
  }),
);

export const UploadSchema = component(
  'schemas/Upload',
  Type.Object({
    id: Type.Integer(),
    size: Type.Integer({ description: 'In bytes' }),
    filename: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    uploaded_by: nullable(Type.Object({ id: Type.Integer(), name: Type.String(), username: Type.String() })),
  }),
);

export const presentNewUpload = (upload: Upload, { fullPath }: Project, isPicture: boolean) => {
  const url = uploadAddress(upload);
  return {
    id: upload.id,
    alt: upload.fileName,
    url,
    full_path: `/${fullPath}${url}`,
    markdown: markdownOf(upload, isPicture),
  };
};

export const presentUpload = ({ id, size, fileName, createdAt, author }: UploadDetails) => ({
  id,
  size,
  filename: fileName,
  created_at: createdAt.toISOString(),
  uploaded_by: author && { id: author.id, name: author.name, username: author.username },
});
