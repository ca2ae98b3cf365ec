/** A kind of goods that the demo's firms make and export. HS codes and units are those of the customs tariff. */
export interface Trade {
  readonly hs: string;
  readonly names: readonly (readonly [cn: string, en: string])[];
  /** Unit in which it is sold (customs code). */
  readonly unit: string;
  /** Net weight of one unit, kg. */
  readonly weight: number;
  /** Price of one unit in dollars, lowest and highest. */
  readonly price: readonly [number, number];
  /** How many go into a carton. */
  readonly perCarton: number;
  /** What the firms call themselves. */
  readonly firm: readonly [cn: string, en: string];
  /** Values of the declaration elements by name. */
  readonly elements: Readonly<Record<string, string>>;
  readonly specs: readonly string[];
}

const GARMENT = ['制衣', 'GARMENTS'] as const;
const HOUSEWARE = ['日用品', 'HOUSEWARES'] as const;
const APPLIANCE = ['电器', 'APPLIANCES'] as const;
const LIGHTING = ['照明', 'LIGHTING'] as const;
const FURNITURE = ['家具', 'FURNITURE'] as const;
const TOYS = ['玩具', 'TOYS'] as const;
const FOOD = ['食品', 'FOODS'] as const;
const SHOES = ['鞋业', 'FOOTWEAR'] as const;
const CYCLES = ['车业', 'CYCLES'] as const;

export const TRADES: readonly Trade[] = [
  {
    hs: '61091000',
    names: [
      ['全棉圆领T恤', "MEN'S 100% COTTON T-SHIRT"],
      ['女式棉制背心', "LADIES' COTTON TANK TOP"],
      ['儿童印花T恤', "CHILDREN'S PRINTED T-SHIRT"],
    ],
    unit: '011',
    weight: 0.18,
    price: [1.6, 4.2],
    perCarton: 60,
    firm: GARMENT,
    elements: { 织造方法: '针织', 种类: 'T恤衫', 类别: '男式', 成分含量: '100%棉' },
    specs: ['S-XXL 160G', 'S-XL 180G', 'M-3XL 200G'],
  },
  {
    hs: '61102000',
    names: [
      ['棉制连帽卫衣', 'COTTON HOODED SWEATSHIRT'],
      ['针织开衫', 'KNITTED COTTON CARDIGAN'],
    ],
    unit: '011',
    weight: 0.45,
    price: [4.5, 9.8],
    perCarton: 30,
    firm: GARMENT,
    elements: { 织造方法: '针织', 种类: '套头衫', 类别: '女式', 成分含量: '80%棉20%聚酯纤维' },
    specs: ['S-XXL 280G', 'M-XXL 320G'],
  },
  {
    hs: '62034290',
    names: [
      ['男式休闲长裤', "MEN'S CASUAL TROUSERS"],
      ['男式工装裤', "MEN'S CARGO PANTS"],
    ],
    unit: '015',
    weight: 0.5,
    price: [5.2, 11],
    perCarton: 30,
    firm: GARMENT,
    elements: { 织造方法: '机织', 种类: '长裤', 类别: '男式', 成分含量: '98%棉2%氨纶' },
    specs: ['30-40', '28-38'],
  },
  {
    hs: '63026010',
    names: [
      ['纯棉毛巾浴巾', 'COTTON TERRY BATH TOWEL'],
      ['提花浴巾', 'JACQUARD BATH TOWEL'],
    ],
    unit: '015',
    weight: 0.42,
    price: [1.9, 4.6],
    perCarton: 40,
    firm: ['纺织', 'TEXTILE'],
    elements: { 织造方法: '机织', 成分含量: '100%棉', 规格: '70*140CM' },
    specs: ['70X140CM', '80X150CM'],
  },
  {
    hs: '64029910',
    names: [
      ['橡胶面休闲鞋', 'CASUAL SHOES WITH RUBBER UPPER'],
      ['雨鞋', 'RUBBER RAIN SHOES'],
    ],
    unit: '025',
    weight: 0.7,
    price: [3.8, 9.5],
    perCarton: 12,
    firm: SHOES,
    elements: { 款式: '休闲鞋', 鞋面材料: '橡胶', 鞋底材料: '橡胶' },
    specs: ['EUR 36-41', 'EUR 39-45'],
  },
  {
    hs: '42022200',
    names: [
      ['涤纶手提包', 'POLYESTER HANDBAG'],
      ['帆布购物袋', 'CANVAS TOTE BAG'],
    ],
    unit: '007',
    weight: 0.35,
    price: [2.1, 7.8],
    perCarton: 40,
    firm: ['箱包', 'BAGS'],
    elements: { 种类: '手提包', 材质: '外表面涤纶布' },
    specs: ['30X25X12CM', '38X42CM'],
  },
  {
    hs: '39241000',
    names: [
      ['塑料保鲜盒', 'PLASTIC FOOD CONTAINER'],
      ['塑料水杯', 'PLASTIC TUMBLER'],
      ['塑料餐盘', 'PLASTIC DINNER PLATE'],
    ],
    unit: '007',
    weight: 0.16,
    price: [0.35, 1.9],
    perCarton: 96,
    firm: HOUSEWARE,
    elements: { 用途: '厨房用', 材质: '聚丙烯' },
    specs: ['500ML', '800ML', '1.2L'],
  },
  {
    hs: '39269090',
    names: [
      ['塑料衣架', 'PLASTIC HANGER'],
      ['塑料收纳篮', 'PLASTIC STORAGE BASKET'],
    ],
    unit: '007',
    weight: 0.22,
    price: [0.3, 2.4],
    perCarton: 100,
    firm: HOUSEWARE,
    elements: { 用途: '家用', 材质: '聚丙烯' },
    specs: ['42CM', '30X20X15CM'],
  },
  {
    hs: '73239300',
    names: [
      ['不锈钢锅具', 'STAINLESS STEEL COOKWARE'],
      ['不锈钢保温壶', 'STAINLESS STEEL JUG'],
      ['不锈钢餐具', 'STAINLESS STEEL FLATWARE'],
    ],
    unit: '007',
    weight: 0.85,
    price: [2.8, 9.6],
    perCarton: 24,
    firm: ['厨具', 'KITCHENWARE'],
    elements: { 材质: '不锈钢304', 用途: '厨房用' },
    specs: ['20CM', '24CM', '1.5L'],
  },
  {
    hs: '76151090',
    names: [
      ['铝制不粘煎锅', 'ALUMINIUM NON-STICK FRY PAN'],
      ['铝制汤锅', 'ALUMINIUM STOCK POT'],
    ],
    unit: '007',
    weight: 0.9,
    price: [3.1, 8.8],
    perCarton: 12,
    firm: ['厨具', 'KITCHENWARE'],
    elements: { 材质: '铝', 用途: '厨房用' },
    specs: ['24CM', '28CM'],
  },
  {
    hs: '82055100',
    names: [
      ['开瓶器', 'CORKSCREW'],
      ['家用手工具', 'HOUSEHOLD HAND TOOL'],
    ],
    unit: '011',
    weight: 0.2,
    price: [0.9, 3.6],
    perCarton: 72,
    firm: ['五金', 'HARDWARE'],
    elements: { 用途: '家用', 材质: '碳钢' },
    specs: ['15CM', '18CM'],
  },
  {
    hs: '85167210',
    names: [['家用面包机', 'HOUSEHOLD BREAD MAKER']],
    unit: '007',
    weight: 4.6,
    price: [24, 46],
    perCarton: 2,
    firm: APPLIANCE,
    elements: { 用途: '家用烤面包', 功率: '600W', 型号: 'BM-600' },
    specs: ['220V 600W', '110V 550W'],
  },
  {
    hs: '85166050',
    names: [
      ['台式电烤箱', 'ELECTRIC OVEN'],
      ['空气炸烤箱', 'AIR FRYER OVEN'],
    ],
    unit: '007',
    weight: 6.2,
    price: [19, 58],
    perCarton: 1,
    firm: APPLIANCE,
    elements: { 用途: '家用烘烤', 功率: '1500W', 型号: 'EO-25' },
    specs: ['25L 1500W', '32L 1800W'],
  },
  {
    hs: '85094090',
    names: [
      ['手持搅拌器', 'HAND MIXER'],
      ['家用破壁机', 'FOOD BLENDER'],
    ],
    unit: '001',
    weight: 2.1,
    price: [9.5, 32],
    perCarton: 6,
    firm: APPLIANCE,
    elements: { 用途: '家用搅拌', 功率: '400W', 型号: 'HM-40' },
    specs: ['400W', '1200W'],
  },
  {
    hs: '85131090',
    names: [
      ['LED手电筒', 'LED FLASHLIGHT'],
      ['头灯', 'LED HEADLAMP'],
    ],
    unit: '007',
    weight: 0.14,
    price: [1.1, 5.4],
    perCarton: 100,
    firm: LIGHTING,
    elements: { 用途: '照明', 光源类型: 'LED', 型号: 'FL-10' },
    specs: ['3W', '10W'],
  },
  {
    hs: '85395210',
    names: [
      ['LED球泡灯', 'LED BULB'],
      ['LED蜡烛灯泡', 'LED CANDLE BULB'],
    ],
    unit: '008',
    weight: 0.06,
    price: [0.45, 1.8],
    perCarton: 100,
    firm: LIGHTING,
    elements: { 用途: '照明', 功率: '9W', 型号: 'A60' },
    specs: ['A60 9W E27', 'C37 5W E14'],
  },
  {
    hs: '94036099',
    names: [
      ['木制书柜', 'WOODEN BOOKCASE'],
      ['实木边桌', 'SOLID WOOD SIDE TABLE'],
      ['木制鞋柜', 'WOODEN SHOE CABINET'],
    ],
    unit: '011',
    weight: 18,
    price: [28, 96],
    perCarton: 1,
    firm: FURNITURE,
    elements: { 用途: '家用', 材质: '松木' },
    specs: ['80X30X180CM', '50X50X55CM'],
  },
  {
    hs: '94032000',
    names: [
      ['金属置物架', 'METAL STORAGE RACK'],
      ['铁艺床架', 'METAL BED FRAME'],
    ],
    unit: '011',
    weight: 9.5,
    price: [14, 52],
    perCarton: 1,
    firm: FURNITURE,
    elements: { 用途: '家用', 材质: '冷轧钢' },
    specs: ['90X35X160CM', '150X200CM'],
  },
  {
    hs: '94017900',
    names: [
      ['折叠椅', 'FOLDING CHAIR'],
      ['户外金属椅', 'OUTDOOR METAL CHAIR'],
    ],
    unit: '007',
    weight: 4.4,
    price: [8.5, 27],
    perCarton: 4,
    firm: FURNITURE,
    elements: { 用途: '户外', 材质: '钢管' },
    specs: ['55X60X80CM', '58X62X85CM'],
  },
  {
    hs: '94052100',
    names: [
      ['LED台灯', 'LED TABLE LAMP'],
      ['落地灯', 'LED FLOOR LAMP'],
    ],
    unit: '007',
    weight: 1.3,
    price: [6.2, 24],
    perCarton: 12,
    firm: LIGHTING,
    elements: { 用途: '室内照明', 材质: '铝' },
    specs: ['8W', '12W'],
  },
  {
    hs: '95030060',
    names: [
      ['木制拼图', 'WOODEN PUZZLE'],
      ['益智积木', 'BUILDING BLOCKS'],
    ],
    unit: '006',
    weight: 0.48,
    price: [1.8, 8.2],
    perCarton: 36,
    firm: TOYS,
    elements: { 用途: '儿童益智', 材质: '椴木' },
    specs: ['100PCS', '200PCS'],
  },
  {
    hs: '95030089',
    names: [
      ['毛绒玩具', 'PLUSH TOY'],
      ['遥控玩具车', 'RC TOY CAR'],
    ],
    unit: '007',
    weight: 0.36,
    price: [1.6, 12],
    perCarton: 48,
    firm: TOYS,
    elements: { 用途: '儿童玩耍', 材质: '涤纶' },
    specs: ['25CM', '35CM'],
  },
  {
    hs: '70133700',
    names: [
      ['玻璃水杯', 'GLASS TUMBLER'],
      ['玻璃啤酒杯', 'GLASS BEER MUG'],
    ],
    unit: '007',
    weight: 0.32,
    price: [0.55, 2.2],
    perCarton: 48,
    firm: ['玻璃制品', 'GLASSWARE'],
    elements: { 用途: '饮水', 材质: '钠钙玻璃' },
    specs: ['300ML', '450ML'],
  },
  {
    hs: '87120030',
    names: [['山地自行车', 'MOUNTAIN BICYCLE']],
    unit: '003',
    weight: 14.5,
    price: [68, 165],
    perCarton: 1,
    firm: CYCLES,
    elements: { 规格: '26英寸', 车架材质: '铝合金' },
    specs: ['26" 21S', '29" 24S'],
  },
  {
    hs: '40111000',
    names: [['小客车轮胎', 'PASSENGER CAR TYRE']],
    unit: '015',
    weight: 9.1,
    price: [19, 44],
    perCarton: 1,
    firm: ['橡胶', 'RUBBER'],
    elements: { 用途: '小客车用', 规格: '205/55R16' },
    specs: ['205/55R16', '195/65R15'],
  },
  {
    hs: '48196000',
    names: [['纸质收纳盒', 'PAPER STORAGE BOX']],
    unit: '007',
    weight: 0.3,
    price: [0.6, 2.6],
    perCarton: 50,
    firm: ['纸品', 'PAPER PRODUCTS'],
    elements: { 用途: '收纳', 材质: '灰板纸' },
    specs: ['30X20X15CM', '35X25X20CM'],
  },
  {
    hs: '44219990',
    names: [
      ['木制衣架', 'WOODEN HANGER'],
      ['木制工艺品', 'WOODEN CRAFT'],
    ],
    unit: '007',
    weight: 0.25,
    price: [0.7, 3.8],
    perCarton: 60,
    firm: ['工艺品', 'ARTS AND CRAFTS'],
    elements: { 用途: '家用', 材质: '荷木' },
    specs: ['44.5CM', '20CM'],
  },
  {
    hs: '07129030',
    names: [['干黄花菜', 'DRIED DAY LILY']],
    unit: '035',
    weight: 1,
    price: [6.5, 9.8],
    perCarton: 10,
    firm: FOOD,
    elements: { 制作方法: '干制', 包装规格: '10千克/箱' },
    specs: ['10KG/CTN'],
  },
];
