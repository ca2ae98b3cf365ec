import type { Catalog } from '#engine/schema/resource.ts';
import type { Database } from './database.ts';

export async function migrate(_db: Database, _catalog: Catalog): Promise<void> {}
