/**
 * The queries behind resources of kind `view`, by the name in their `source`. Each gives the columns of the resource's
 * fields, `id` and (company scope) `co_code` among them. They are part of the program: nothing of a caller is in them.
 */
export const VIEW_SOURCES: Readonly<Record<string, string>> = {
  notices: `select n.id, n.title, n.content, n.level, n.event as event_code, n.resource, n.record_id::text as record_id, n.link, n.co_code,
    n.person_id::text as receiver_id, n.created_at, n.read_at,
    case when n.archived_at is not null then 'archived' when n.read_at is not null then 'read' else 'unread' end as status
    from sys_notice n`,
};
