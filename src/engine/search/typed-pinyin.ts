/** How Chinese is read, by the reading order of the Unicode collation: no dictionary has to be loaded for a picker. */
import { foldText } from './search-text.ts';

/**
 * Whether a text is found by what was typed: by a part of it, by the initials of neighbouring characters, letters and
 * digits standing for themselves, or (three letters and more) by full pinyin, the last syllable perhaps begun, and by
 * both mixed.
 * @example matchesTyped('宁波', 'nb') && matchesTyped('重庆', 'chongq') && matchesTyped('明细单', 'mxdan')
 */
export function matchesTyped(text: string, typed: string): boolean {
  const wanted = foldText(typed);
  if (wanted === '') return true;
  const folded = foldText(text);
  if (folded.includes(wanted)) return true;
  const letters = wanted.replace(/\s/g, '');
  if (!/^[a-z0-9]+$/.test(letters)) return false;
  const sounds = soundsOf(folded);
  return sounds.some((_, start) => isSpelled(sounds, start, letters));
}

/**
 * How well a text fits: 0 it is what was typed, 1 it begins so, 2 its pinyin begins so, 3 it holds it, 4 by pinyin
 * within alone; null: not at all.
 */
export function typedRank(text: string, typed: string): number | null {
  const [folded, wanted] = [foldText(text), foldText(typed)];
  if (folded === wanted) return 0;
  if (folded.startsWith(wanted)) return 1;
  if (!matchesTyped(text, typed)) return null;
  if (isSpelled(soundsOf(folded), 0, wanted.replace(/\s/g, ''))) return 2;
  return folded.includes(wanted) ? 3 : 4;
}

/** How each character of a text may be read; what is not Chinese stands for itself. */
function soundsOf(folded: string): readonly (readonly string[])[] {
  return [...folded].filter((char) => /[a-z0-9\u3400-\u9fff]/.test(char)).map(readingsOf);
}

/** From so many letters on full pinyin is looked for, as in the search over records. */
const MIN_LETTERS = 3;

function isSpelled(sounds: readonly (readonly string[])[], start: number, letters: string): boolean {
  return letters.length < MIN_LETTERS
    ? isInitials(sounds, start, letters)
    : isSyllables(sounds, start, letters);
}

function isInitials(sounds: readonly (readonly string[])[], start: number, letters: string): boolean {
  if (start + letters.length > sounds.length) return false;
  return [...letters].every((letter, place) =>
    sounds[start + place]?.some((reading) => reading.startsWith(letter)),
  );
}

/** Each character by its initial or in full, the last one perhaps begun. */
function isSyllables(sounds: readonly (readonly string[])[], start: number, letters: string): boolean {
  return (sounds[start] ?? []).some(
    (reading) =>
      reading.startsWith(letters) ||
      [...new Set([reading, reading.slice(0, 1), INITIAL.exec(reading)?.[0] ?? reading])].some(
        (spelled) =>
          letters.startsWith(spelled) && isSyllables(sounds, start + 1, letters.slice(spelled.length)),
      ),
  );
}

const INITIAL = /^[zcs]h/;

function readingsOf(char: string): readonly string[] {
  const known = remembered.get(char);
  if (known !== undefined) return known;
  const found = SEVERAL_READINGS[char]?.split(' ') ?? (/[\u3400-\u9fff]/.test(char) ? byOrder(char) : [char]);
  remembered.set(char, found);
  return found;
}

/** The syllable whose first character stands last before a character. */
function byOrder(char: string): readonly string[] {
  let [low, high] = [0, SYLLABLES.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (collator.compare(char, FIRST_CHARS[middle] ?? '') < 0) high = middle;
    else low = middle + 1;
  }
  const syllable = SYLLABLES[low - 1];
  if (syllable === undefined) return [char];
  return syllable.includes('v') ? [syllable, syllable.replace('v', 'u')] : [syllable];
}

const collator = new Intl.Collator('zh-Hans-CN-u-co-pinyin');
const remembered = new Map<string, readonly string[]>();

/** The syllables in the pinyin order (CLDR, collation `pinyin` of `zh`), and the first common character of each. */
const SYLLABLES = `
  a ai an ang ao ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu ca cai can cang cao ce cen
  ceng cha chai chan chang chao che chen cheng chi chong chou chu chuai chuan chuang chui chun chuo ci cong cou
  cu cuan cui cun cuo da dai dan dang dao de deng di dia dian diao die ding diu dong dou du duan dui dun duo e
  ei en er fa fan fang fei fen feng fou fu ga gai gan gang gao ge gei gen geng gong gou gu gua guai guan guang
  gui gun guo ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui hun huo ji jia jian jiang
  jiao jie jin jing jiong jiu ju juan jue jun ka kai kan kang kao ke ken keng kong kou ku kua kuai kuan kuang
  kui kun kuo la lai lan lang lao le lei leng li lia lian liang liao lie lin ling liu long lou lu lv luan lve
  lun luo ma mai man mang mao me mei men meng mi mian miao mie min ming miu mo mou mu na nai nan nang nao ne nei
  nen neng ng ni nian niang niao nie nin ning niu nong nou nu nv nuan nve nuo o ou pa pai pan pang pao pei pen
  peng pi pian piao pie pin ping po pou pu qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun ran
  rang rao re ren reng ri rong rou ru ruan rui run ruo sa sai san sang sao se sen seng sha shai shan shang shao
  she shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo si song sou su suan sui sun suo ta tai
  tan tang tao te teng ti tian tiao tie ting tong tou tu tuan tui tun tuo wa wai wan wang wei wen weng wo wu xi
  xia xian xiang xiao xie xin xing xiong xiu xu xuan xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan
  yue yun za zai zan zang zao ze zei zen zeng zha zhai zhan zhang zhao zhe zhen zheng zhi zhong zhou zhu zhua
  zhuai zhuan zhuang zhui zhun zhuo zi zong zou zu zuan zui zun zuo
`
  .trim()
  .split(/\s+/);
const FIRST_CHARS = [
  ...'吖哎安肮凹八掰扳邦勹卑奔崩逼边灬憋玢冫拨逋嚓猜参仓操册岑噌叉拆觇伥抄车抻柽吃充抽出揣巛疮吹春踔呲匆凑粗汆崔村',
  ...'搓哒呆丹当刀得灯氐嗲掂刁爹丁丢东都嘟端堆吨多婀诶恩儿发帆匚飞分丰缶夫旮该甘冈皋戈给根庚工勾估瓜乖关光归丨呙哈',
  ...'咳顸夯蒿诃黑痕亨轰侯乎花怀欢肓灰昏耠丌加戋江艽阶巾京冂纠居娟噘军咔开刊康尻苛肯吭空抠刳夸蒯宽匡亏坤扩垃来兰啷',
  ...'捞仂雷塄哩俩奁良撩咧拎伶溜龙娄噜驴娈掠抡罗妈埋颟邙猫么没门虻咪宀喵乜民名谬摸哞毪拿乃囡囔孬疒馁恁能嗯妮拈娘鸟',
  ...'捏您宁妞农耨奴女暖疟挪喔讴趴拍潘乓抛呸喷怦丕偏剽氕姘乒钋剖仆七掐千呛悄且亲青邛丘区悛炔逡蚺禳娆惹人扔日戎柔如',
  ...'阮蕤闰若仨塞三桑搔色森僧杀筛山伤捎奢谁申升尸收书刷衰闩双水吮说厶忪嗖苏狻虽孙唆他胎坍汤涛忑疼剔天佻帖厅通偷凸',
  ...'湍推吞乇挖歪弯尢危温翁挝乌夕呷仙乡枭些心星凶休吁轩削勋丫恹央幺掖一因应哟佣优纡鸢曰晕匝灾糌赃遭则贼怎增扎斋沾',
  ...'张钊蜇贞争之中州朱抓拽专妆隹肫拙孜宗邹租钻嘴尊嘬',
];

/** Characters of names of goods, places and documents that are read in more than one way. */
const SEVERAL_READINGS: Readonly<Record<string, string>> = {
  重: 'zhong chong',
  厦: 'sha xia',
  行: 'xing hang',
  长: 'chang zhang',
  单: 'dan shan',
  调: 'diao tiao',
  会: 'hui kuai',
  给: 'gei ji',
  乐: 'le yue',
  系: 'xi ji',
  降: 'jiang xiang',
  参: 'can shen',
  差: 'cha chai',
  藏: 'cang zang',
  曾: 'zeng ceng',
  仇: 'chou qiu',
  区: 'qu ou',
  朴: 'pu piao bo',
  解: 'jie xie',
  还: 'huan hai',
  传: 'chuan zhuan',
  弹: 'dan tan',
  盛: 'sheng cheng',
  石: 'shi dan',
  蔚: 'wei yu',
  埔: 'pu bu',
  率: 'lv lu shuai',
  校: 'xiao jiao',
  折: 'zhe she',
  奇: 'qi ji',
  提: 'ti di',
  其: 'qi ji',
};
