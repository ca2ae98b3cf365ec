import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef } from 'react';
import { http, HttpFault } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { definitionQuery } from '#web/data/page-resource.ts';
import { storedAuthorization } from '#web/data/stored-person.ts';
import { scalarText } from './field-text.ts';
import {
  type FieldServices,
  FieldServicesContext,
  parseLookupAnswer,
  type UploadedFile,
  type UploadRequest,
} from './field-services.ts';

/** Gives the controls of a page the server's lookups and files, and the tabs to open records in. */
export function FieldServicesProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const open = useOpenRecord();
  const latest = useRef(open);
  latest.current = open;
  const services = useMemo<FieldServices>(
    () => ({
      lookup: async (place, query, signal) => {
        const { parent, ...record } = place.readRecord();
        const isLine = typeof parent === 'object' && parent !== null;
        const body = { ...query, record, ...(isLine ? { parent } : {}) };
        return parseLookupAnswer(
          await http.post(`/lookup/${place.resource}/${place.path}`, body, { signal }),
        );
      },
      upload: uploadFile,
      fileInfo,
      fileContent: (id) => http.download(`/files/${id}`),
      resource: (key) => client.fetchQuery(definitionQuery(key)).catch(() => null),
      openRecord: (resource, id) => latest.current.byResource(resource, id),
    }),
    [client],
  );
  return <FieldServicesContext value={services}>{children}</FieldServicesContext>;
}

/** By XMLHttpRequest: fetch tells nothing of how far an upload is. */
function uploadFile({ file, place, recordId, onProgress, signal }: UploadRequest): Promise<UploadedFile> {
  const params = new URLSearchParams({ resource: place.resource, field: place.path });
  if (recordId !== undefined) params.set('id', recordId);
  const form = new FormData();
  form.append('files', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const refuse = (message: string): void => reject(new HttpFault(message, { statusCode: request.status }));
    request.open('POST', `/erp/api/files?${params.toString()}`);
    request.setRequestHeader('Authorization', storedAuthorization() ?? '');
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    request.addEventListener('error', () => refuse('上传失败，请检查网络后重试'));
    request.addEventListener('abort', () => refuse('上传已取消'));
    request.addEventListener('load', () => {
      const answer = parsedAnswer(request.responseText);
      const uploaded = answer.code === 200 ? uploadedFile(answer.data) : null;
      if (uploaded === null) refuse(answer.msg);
      else resolve(uploaded);
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Name, size and type of a file, from the headers of its address. */
async function fileInfo(id: string): Promise<UploadedFile | null> {
  const response = await fetch(`/erp/api/files/${id}`, {
    method: 'HEAD',
    headers: { Authorization: storedAuthorization() ?? '' },
  });
  if (!response.ok) return null;
  const disposition = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return {
    id,
    name: encoded === undefined ? '附件' : decodeURIComponent(encoded),
    size: Number(response.headers.get('content-length') ?? 0),
    type: (response.headers.get('content-type') ?? '').split(';')[0] ?? '',
  };
}

function parsedAnswer(text: string): { readonly code: number; readonly msg: string; readonly data: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && typeof value['code'] === 'number')
      return { code: value['code'], msg: scalarText(value['msg']), data: value['data'] };
  } catch {
    // Falls through to the general text.
  }
  return { code: 0, msg: '上传失败', data: null };
}

function uploadedFile(data: unknown): UploadedFile | null {
  const file: unknown = Array.isArray(data) ? data[0] : data;
  if (!isObject(file) || typeof file['id'] !== 'string') return null;
  return {
    id: file['id'],
    name: scalarText(file['name']),
    size: Number(file['size'] ?? 0),
    type: scalarText(file['type']),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
