import { useQuery } from '@tanstack/react-query';
import { Empty, Skeleton } from 'antd';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { currentSite } from '#web/data/site.ts';
import { ExportPdfButton } from '#web/features/pdf/export-pdf-button.tsx';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { useComposedText } from '#web/fields/composed-text.ts';
import { cleanHtml, RichtextBlock } from '#web/fields/richtext-view.tsx';
import { SearchInput } from '#web/fields/search-input.tsx';
import './articles.css';

const RESOURCE = 'help_article';
const MOST = 500;
/** Characters of the text around a hit. */
const AROUND = 24;

interface HelpArticle {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly html: string;
  readonly text: string;
}

/** 帮助: the catalogue with a search through all texts beside the article that is read. */
export function HelpPage() {
  const { hotline } = currentSite();
  const shown = useRef<HTMLElement>(null);
  const [params, setParams] = useSearchParams();
  const searched = params.get('q') ?? '';
  // The address comes back later than the next key: it takes what is searched for when the field is left.
  const [typed, setTyped] = useState(searched);
  const [known, setKnown] = useState(searched);
  if (known !== searched) {
    setKnown(searched);
    setTyped(searched);
  }
  const words = useComposedText(typed);
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: [RESOURCE, 'catalogue'],
    queryFn: async () => {
      const { records } = await callApi('POST /data/:resource/query', {
        params: { resource: RESOURCE },
        body: {
          pageSize: MOST,
          sorters: ['category', 'sort_no'],
          columns: ['title', 'category', 'content', 'sort_no'],
          filters: { status: { eq: 'published' } },
        },
      });
      return records.map(readArticle);
    },
  });
  const found = useMemo(() => search(data ?? [], words), [data, words]);
  const chosen = found.find(({ id }) => id === params.get('article')) ?? found[0];
  const chosenId = chosen?.id;
  useEffect(() => {
    if (chosenId !== undefined)
      callApi('POST /data/:resource/:id/read', { params: { resource: RESOURCE, id: chosenId } }).catch(
        () => undefined,
      );
  }, [chosenId]);
  const show = (change: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries({ q: typed, ...change }))
      if (value === '') next.delete(name);
      else next.set(name, value);
    if (next.toString() !== params.toString()) setParams(next, { replace: true });
  };
  if (isLoading) return <Skeleton active paragraph={{ rows: 12 }} className="page-skeleton" />;
  if (data === undefined) return <ReadFault what="帮助" error={error} onRetry={() => void refetch()} />;
  return (
    <div className="help">
      <nav className="help-tree" aria-label="帮助目录">
        <SearchInput
          allowClear
          placeholder="搜索帮助"
          aria-label="搜索帮助"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onSearch={(q) => show({ q })}
          onBlur={() => show({})}
        />
        {found.length === 0 && <Empty description="没有找到，换个说法试试" />}
        {groupsOf(found).map(([category, articles]) => (
          <section key={category}>
            <h2>{category}</h2>
            <ul>
              {articles.map((article) => (
                <li key={article.id}>
                  <button
                    type="button"
                    className="help-item"
                    aria-current={article.id === chosenId}
                    onClick={() => show({ article: article.id })}
                  >
                    <Marked text={article.title} words={words} />
                    {words !== '' && (
                      <small>
                        <Marked text={excerpt(article.text, words)} words={words} />
                      </small>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {hotline !== '' && <p className="field-hint">服务热线 {hotline}</p>}
      </nav>
      {chosen === undefined ? (
        <Empty description={data?.length === 0 ? '还没有帮助文档' : '没有相符的帮助'} />
      ) : (
        <article className="article" ref={shown}>
          <div className="article-actions">
            <ExportPdfButton title={chosen.title} within={shown} />
          </div>
          <header>
            <h1>{chosen.title}</h1>
          </header>
          <RichtextBlock key={`${chosen.id} ${words}`} html={marked(chosen.html, words)} />
        </article>
      )}
    </div>
  );
}

function readArticle(record: ErpRecord): HelpArticle {
  const html = cleanHtml(String(record['content'] ?? ''));
  const text = new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
  return {
    id: String(record['id']),
    title: String(record['title'] ?? ''),
    category: String(record['category'] ?? ''),
    html,
    text: text.replace(/\s+/g, ' '),
  };
}

/** Articles that have the words, those that have them in the title first. */
function search(articles: readonly HelpArticle[], words: string): readonly HelpArticle[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return articles;
  const isIn = (text: string): boolean => text.toLowerCase().includes(wanted);
  return [
    ...articles.filter(({ title }) => isIn(title)),
    ...articles.filter(({ title, text }) => !isIn(title) && isIn(text)),
  ];
}

function groupsOf(articles: readonly HelpArticle[]): readonly (readonly [string, readonly HelpArticle[]])[] {
  const groups = new Map<string, HelpArticle[]>();
  for (const article of articles)
    groups.set(article.category, [...(groups.get(article.category) ?? []), article]);
  return [...groups];
}

function excerpt(text: string, words: string): string {
  const place = text.toLowerCase().indexOf(words.trim().toLowerCase());
  if (place < 0) return text.slice(0, AROUND * 2);
  const start = Math.max(0, place - AROUND);
  return `${start > 0 ? '…' : ''}${text.slice(start, place + words.length + AROUND)}…`;
}

function Marked({ text, words }: { readonly text: string; readonly words: string }): ReactNode {
  const wanted = words.trim().toLowerCase();
  const place = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted);
  if (place < 0) return text;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, place + wanted.length)}</mark>
      {text.slice(place + wanted.length)}
    </>
  );
}

/** The article with every hit marked; only texts are touched, never tags. */
function marked(html: string, words: string): string {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (let node of texts)
    for (
      let place = node.data.toLowerCase().indexOf(wanted);
      place >= 0;
      place = node.data.toLowerCase().indexOf(wanted)
    ) {
      const hit = node.splitText(place);
      node = hit.splitText(wanted.length);
      const mark = page.createElement('mark');
      hit.replaceWith(mark);
      mark.append(hit);
    }
  return page.body.innerHTML;
}
