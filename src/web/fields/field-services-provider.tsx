import { useQueryClient } from '@tanstack/react-query';
import type { FileView } from '#contract/files.ts';
import { type ReactNode, useMemo, useRef } from 'react';
import { callApi, download, HttpFault } from '#web/data/http.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { definitionQuery } from '#web/data/page-resource.ts';
import { uploadFile } from '#web/data/upload.ts';
import { scalarText } from './field-text.ts';
import { recallValues } from './recall-values.ts';
import {
  type FieldServices,
  FieldServicesContext,
  pickedRecords,
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
        const body = { ...query, record, ...(isLine ? { parent: { ...parent } } : {}) };
        const params = { resource: place.resource, fieldPath: place.path };
        return pickedRecords(await callApi('POST /lookup/:resource/:fieldPath', { params, body, signal }));
      },
      upload: uploadInto,
      capture: async (address, place) => {
        const body = { url: address, resource: place.resource, field: place.path };
        return (await callApi('POST /files/capture', { body })).url;
      },
      fileInfo,
      fileContent: (id) => download('GET /files/:id', { params: { id } }),
      thumbnail: (id) => download('GET /files/:id', { params: { id }, query: { thumb: '1' } }),
      resource: (key) => client.fetchQuery(definitionQuery(key)).catch(() => null),
      recall: (place, column) =>
        recallValues(place, column, {
          definition: (key) => client.fetchQuery(definitionQuery(key)).catch(() => null),
          record: (resource, id) =>
            client.fetchQuery({
              queryKey: ['recalled', resource, id],
              staleTime: 60_000,
              queryFn: () => callApi('GET /data/:resource/:id', { params: { resource, id } }),
            }),
        }),
      mayRead: (resource) => latest.current.mayRead(resource),
      openRecord: (resource, id) => latest.current.byResource(resource, id),
    }),
    [client],
  );
  return <FieldServicesContext value={services}>{children}</FieldServicesContext>;
}

async function uploadInto({ file, place, recordId, onProgress, signal }: UploadRequest): Promise<FileView> {
  const params = new URLSearchParams({ resource: place.resource, field: place.path });
  if (recordId !== undefined) params.set('id', recordId);
  const data = await uploadFile(`/files?${params.toString()}`, file, { onProgress, signal });
  const uploaded = uploadedFile(data);
  if (uploaded === null) throw new HttpFault('上传失败', {});
  return uploaded;
}

async function fileInfo(id: string): Promise<FileView> {
  return callApi('GET /files/:id/info', { params: { id } });
}

function uploadedFile(data: unknown): FileView | null {
  const file: unknown = Array.isArray(data) ? data[0] : data;
  if (!isObject(file) || typeof file['id'] !== 'string') return null;
  return {
    id: file['id'],
    name: scalarText(file['name']),
    size: Number(file['size'] ?? 0),
    type: scalarText(file['type']),
    url: scalarText(file['url']),
    uploadedBy: scalarText(file['uploadedBy']),
    uploadedAt: scalarText(file['uploadedAt']),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
