import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * True for an address of the public internet. False for every network that IANA keeps for something else (registries of
 * special-purpose addresses, RFC 6890 and its successors): loopback, private, link-local, shared, documentation,
 * benchmarking, multicast, reserved; and for addresses of version 6 that carry one of version 4 which is not public.
 */
export function isPublicAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0) return false;
  if (family === 4) return !CLOSED_V4.check(ip, 'ipv4');
  if (CLOSED_V6.check(ip, 'ipv6')) return false;
  const carried = carriedV4(ip);
  return carried === null || isPublicAddress(carried);
}

/** IANA IPv4 Special-Purpose Address Registry, and multicast. */
const CLOSED_V4 = networks('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** IANA IPv6 Special-Purpose Address Registry, multicast, and what was given up but may still be routed inside. */
const CLOSED_V6 = networks('ipv6', [
  // Unspecified, loopback, and addresses of version 4 in the old form.
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['100:0:0:1::', 64],
  // IETF protocol assignments: Teredo, benchmarking, ORCHID and the rest.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** Prefixes whose addresses lead to one of version 4, with the group of sixteen bits where that begins. */
const CARRIERS = [
  { network: networks('ipv6', [['::ffff:0:0', 96]]), group: 6 },
  { network: networks('ipv6', [['::ffff:0:0:0', 96]]), group: 6 },
  { network: networks('ipv6', [['64:ff9b::', 96]]), group: 6 },
  { network: networks('ipv6', [['2002::', 16]]), group: 1 },
] as const;

/** The address of version 4 that one of version 6 leads to (mapped, translated, 6to4); null for any other. */
function carriedV4(ip: string): string | null {
  const carrier = CARRIERS.find(({ network }) => network.check(ip, 'ipv6'));
  if (carrier === undefined) return null;
  const groups = groupsOf(ip);
  const [high = 0, low = 0] = groups.slice(carrier.group, carrier.group + 2);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight groups of an address of version 6, written in any way. */
function groupsOf(ip: string): readonly number[] {
  const [address = ''] = ip.split('%');
  const [head = '', tail] = address.split('::');
  const first = parseGroups(head);
  const last = tail === undefined ? [] : parseGroups(tail);
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function parseGroups(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!isIPv4(part)) return [parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function networks(
  family: 'ipv4' | 'ipv6',
  list: readonly (readonly [network: string, prefix: number])[],
): BlockList {
  const blocked = new BlockList();
  for (const [network, prefix] of list) blocked.addSubnet(network, prefix, family);
  return blocked;
}
