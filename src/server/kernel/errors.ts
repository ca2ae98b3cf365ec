import { firstProblems } from '#engine/record/problem-list.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';

/** What a refusal may carry into its message and its body. */
export interface ErrorDetails {
  /** Replaces the catalogue's text, for messages that a definition or a rule words itself. */
  readonly message?: string;
  readonly problems?: readonly FieldProblem[];
  /** The record as it is now, for a stale save. */
  readonly current?: unknown;
  /** Fills `{name}` in the catalogue's text. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly cause?: unknown;
  /** Seconds after which another try makes sense. */
  readonly retryAfterS?: number;
}

interface CatalogueEntry {
  readonly status: number;
  /** Shown to users as it is. */
  readonly message: string;
  /** For whoever reads the API's documentation: when it happens. */
  readonly doc: string;
}

/** Every refusal of the API. A test fails when an entry has no Chinese text or no documentation line. */
export const ERRORS = {
  // The request itself
  BAD_JSON: { status: 400, message: '请求内容不是有效的JSON', doc: '请求体不是有效的 JSON，或含 NUL、孤立代理项、非有限数、__proto__ 等键，或嵌套超过 32 层。' },
  BAD_REQUEST: { status: 400, message: '请求内容有误', doc: '参数不符合接口的 JSON Schema；problems 指明位置。' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: '不支持的内容类型', doc: 'Content-Type 不是 application/json（上传为 multipart/form-data）。' },
  BODY_TOO_LARGE: { status: 413, message: '提交的内容过大', doc: '请求体超过该接口的上限：字节、键、列表项、键的长度或数字的位数。' },
  HEADERS_TOO_LARGE: { status: 431, message: '请求头过长', doc: '请求头（含地址）合计超过 16 kB。' },
  REQUEST_TIMEOUT: { status: 408, message: '请求超时，请检查网络后重试', doc: '请求未在限定时间内发送完毕。' },
  BAD_HTTP: { status: 400, message: '请求无法识别', doc: '收到的内容不是有效的 HTTP 请求。' },
  ROUTE_NOT_FOUND: { status: 404, message: '404,找不到地址!', doc: '没有这个地址。' },
  METHOD_NOT_ALLOWED: { status: 405, message: '不支持的请求方法', doc: '地址存在，但不支持该方法。' },
  RATE_LIMITED: { status: 429, message: '操作过于频繁，请稍后再试', doc: '超过该接口的频率限制；Retry-After 给出秒数。' },
  IDEMPOTENCY_MISMATCH: { status: 422, message: '同一幂等键不能用于不同的请求', doc: 'Idempotency-Key 已用于另一请求体。' },
  IDEMPOTENCY_WRITTEN: { status: 409, message: '上一次相同的请求已保存成功，但结果未能送达，请刷新后查看', doc: '同一 Idempotency-Key 的请求已写入，其应答未能保留；不会再写一次。' },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, message: '相同的请求正在处理，请稍候', doc: '同一 Idempotency-Key 的请求尚未完成。' },
  // Identity
  NOT_SIGNED_IN: { status: 401, message: '登录已失效，请重新登录', doc: '没有会话，或会话已过期、已注销。' },
  POSITION_REQUIRED: { status: 401, message: '请先选择登录角色', doc: '会话尚未完成 setPosition，只能选择角色或退出。' },
  LOGIN_FAILED: { status: 400, message: '用户名或密码错误', doc: '账号、密码或传输信封不对；三者回答相同。' },
  LOGIN_LOCKED: { status: 429, message: '登录失败次数过多，请15分钟后再试', doc: '同一账号与来源 15 分钟内失败 5 次；登录后修改密码或手机号时输错的密码一并计数。' },
  ADDRESS_LOCKED: { status: 429, message: '该网络登录失败次数过多，请稍后再试', doc: '同一来源 10 分钟内失败 100 次。' },
  CUSTOMER_NOT_REGISTERED: { status: 400, message: '客户未注册', doc: '客户登录的手机号没有任何账号。' },
  CUSTOMER_NOT_ACTIVE: { status: 400, message: '账号尚未启用，请联系业务员', doc: '客户账号停用，或委托方未生效。' },
  LOGIN_LINK_INVALID: { status: 400, message: '登录链接已失效或已使用，请联系业务员重新发送', doc: '登录链接的 code 不对、过期、已用，或不属于该账号；四者回答相同。' },
  OIDC_OFF: { status: 404, message: '未启用统一身份登录', doc: '没有配置 ERP_OIDC_ISSUER。' },
  OIDC_UNAVAILABLE: { status: 503, message: '统一身份认证服务暂不可用，请稍后再试，或用密码登录', doc: '身份提供方无法连接或自身出错。' },
  OIDC_EXPIRED: { status: 400, message: '统一身份登录已超时或已使用，请重新登录', doc: '浏览器没有本次登录的 Cookie，或已过十分钟，或结果已取过。' },
  OIDC_REFUSED: { status: 400, message: '统一身份认证没有通过，请重试或联系管理员', doc: '身份提供方拒绝，或其回答未通过校验（state、nonce、PKCE、签名、签发方）。' },
  OIDC_NO_ACCOUNT: { status: 400, message: '统一身份账号没有对应的系统账号，请联系管理员', doc: '没有员工的工号等于 preferred_username，或邮箱等于已验证的 email。' },
  OIDC_AMBIGUOUS: { status: 400, message: '统一身份账号不能唯一对应系统账号，请用密码登录或联系管理员', doc: '多名员工有该邮箱，或用户名与邮箱指向不同的人。' },
  OIDC_ACCOUNT_CLOSED: { status: 400, message: '对应的系统账号已停用或没有角色，请联系管理员', doc: '对应的员工已停用、已离职或没有启用的角色。' },
  OIDC_BOUND: { status: 400, message: '系统账号已与另一个统一身份账号绑定，请联系管理员', doc: '同一签发方的另一个 sub 已绑定该员工；须先解除绑定。' },
  POSITION_REFUSED: { status: 403, message: '不能选择该角色、部门或服务对象', doc: 'setPosition 的 id、roleId 或 saleId 不属于该会话。' },
  PASSWORD_WRONG: { status: 400, message: '原密码错误', doc: '修改密码或手机号时原密码不对。' },
  PASSWORD_DUE: { status: 403, message: '请先修改登录密码', doc: '密码由系统生成并已发送给本人：改过密码之后才能使用其他功能。' },
  PASSWORD_WEAK: { status: 400, message: '新密码长度在 8 到 30 个字符，不能与原密码相同，也不能是常见密码', doc: '新密码不合要求；problems 的 code 为 length、same 或 common_password。' },
  SMS_CODE_WRONG: { status: 400, message: '验证码错误或已失效', doc: '短信验证码不对、过期、已用或尝试次数过多。' },
  REGISTER_CLOSED: { status: 400, message: '该平台暂不支持客户注册！', doc: '该公司不开放客户注册。' },
  STREAM_LIMIT: { status: 429, message: '打开的窗口过多', doc: '一个会话最多 5 条消息流。' },
  // Rights
  FORBIDDEN: { status: 403, message: '权限不足,请联系管理员!', doc: '角色没有该操作。' },
  FIELD_FORBIDDEN: { status: 403, message: '没有权限修改“{field}”', doc: '角色不能写该字段。' },
  // Records
  UNKNOWN_RESOURCE: { status: 404, message: '404,找不到地址!', doc: '没有这个资源。' },
  NOT_FOUND: { status: 404, message: '记录不存在或无权查看', doc: '记录不存在、已删除，或不在可见范围。' },
  UNKNOWN_ACTION: { status: 404, message: '没有这个操作', doc: '资源没有该动作。' },
  VALIDATION: { status: 400, message: '请检查填写的内容', doc: '字段或规则不满足；problems 逐条说明。' },
  UNKNOWN_FIELD: { status: 400, message: '未知字段“{field}”', doc: '请求含资源没有的字段。' },
  BAD_FILTER: { status: 400, message: '查询条件有误', doc: 'filters、sorters 或 group 不合语法，或用了不可见的字段。' },
  STALE_VERSION: { status: 409, message: '单据已被他人修改，请刷新后重试', doc: 'version 已过时；current 为当前记录。' },
  VERSION_REQUIRED: { status: 400, message: '缺少版本号', doc: '修改须带 version（整数）。' },
  DUPLICATE: { status: 409, message: '“{field}”已存在', doc: '违反唯一约束。' },
  REFERENCED: { status: 409, message: '该记录已被引用，不能删除', doc: '其他记录引用该记录。' },
  READ_ONLY_STATE: { status: 409, message: '当前状态不能修改', doc: '单据状态不允许编辑。' },
  READ_ONLY_RESOURCE: { status: 403, message: '该数据由系统生成，不能修改', doc: '台账、日志、视图没有写接口。' },
  ACTION_NOT_ALLOWED: { status: 409, message: '当前状态不能执行该操作', doc: '状态或条件不满足。' },
  REASON_REQUIRED: { status: 400, message: '请填写意见', doc: '该动作须写明原因。' },
  RULE_REFUSED: { status: 400, message: '业务规则不允许该操作', doc: '具名检查拒绝；msg 与 problems 说明原因。' },
  CONFLICT: { status: 409, message: '操作冲突，请稍后重试', doc: '并发事务冲突，重试后仍失败。' },
  DEFINITIONS_CHANGED: { status: 409, message: '系统定义刚刚更新，请刷新后重试', doc: '处理期间资源、字段或状态改名或取消，且本进程尚未换用新的定义；没有写入任何内容。' },
  BALANCE_INSUFFICIENT: { status: 409, message: '余额不足', doc: '资金或额度不足。' },
  // Approval
  NO_APPROVAL_FLOW: { status: 400, message: '未配置审核流程', doc: '没有适用的审核流程。' },
  REVIEW_LINK_INVALID: { status: 400, message: '审核链接无效或已过期，请登录系统审核', doc: '审核链接的 token 不存在或过期，或其审批人已不能审核；回答相同。' },
  REVIEW_LINK_USED: { status: 409, message: '该单据已审核或已撤回，链接已失效', doc: '审核链接所属的任务已由他人或本人处理，或单据已撤回。' },
  REVIEW_LINK_FOREIGN: { status: 403, message: '该审核链接发给了其他审批人，与当前登录的账号不符，不能审核', doc: '带审核链接的请求同时带有他人的有效会话；说明收件人姓名。' },
  TASK_DONE: { status: 409, message: '任务已处理', doc: '审核任务已由他人或本人处理。' },
  OWN_DOCUMENT: { status: 403, message: '不能审核本人提交的单据', doc: '提交人不能审核。' },
  NO_APPROVER: { status: 400, message: '没有可用的审核人', doc: '某级没有除提交人以外的审核人。' },
  // Files, jobs, imports, reports
  FILE_TOO_LARGE: { status: 413, message: '请选择20M以内的文件！', doc: '文件超过 20 × 1024 × 1024 字节。' },
  IMAGE_TOO_LARGE: { status: 413, message: '请选择20M以内的图片！', doc: '图片超过 20 × 1024 × 1024 字节。' },
  UPLOADS_UNSAVED: { status: 413, message: '已上传而未保存到单据的附件超过{max}M，请先保存单据后再上传', doc: '本人上传、尚未归入任何单据的附件（内容相同的只计一次）合计超过 500 × 1024 × 1024 字节；31 天后自动清除。' },
  FILE_TYPE: { status: 400, message: '不支持的文件类型', doc: '按内容识别的类型不在允许之列，或图片无法解码。' },
  IMAGE_UNREADABLE: { status: 400, message: '图片无法识别，请换用 JPEG、PNG 或 WebP 格式的图片', doc: '图片不是 JPEG、PNG、WebP（或可解码的 HEIF），或已损坏。' },
  IMAGE_HEIC: { status: 400, message: '服务器不能读取 HEIC 图片，请转换为 JPEG 后上传，或在手机相机设置中选“兼容性最佳”后重拍', doc: 'HEIC（HEVC 编码）不在服务器的解码器之内；网页会先在浏览器中转换。' },
  IMAGE_TOO_MANY_PIXELS: { status: 400, message: '图片像素过大：{pixels}万像素，最多{max}万像素，请缩小后上传', doc: '普通 JPEG 最多 2.5 亿像素，其他图片和渐进式 JPEG 最多 6000 万像素。' },
  UPLOAD_LINK_INVALID: { status: 400, message: '上传链接无效或已过期，请联系给您链接的人员', doc: 'applyId 不存在、过期、已撤回，或单据已不接收影像；四者回答相同。' },
  UPLOAD_FULL: { status: 400, message: '该单据最多上传{max}张图片', doc: '附件字段已满。' },
  UPLOAD_SPENT: { status: 400, message: '该链接累计上传已达{max}M，请联系给您链接的人员重新生成', doc: '一个链接接收的总字节数达到定义的 maxTotalMb，已移除的图片也计算在内。' },
  UPLOAD_CANCELLED: { status: 409, message: '该图片已取消上传', doc: '上传完成之前，同一 upload 已被取消。' },
  FILE_MISSING: { status: 400, message: '请选择文件', doc: '上传没有文件，或文件为空。' },
  UPLOAD_BROKEN: { status: 400, message: '上传内容不完整，请重试', doc: '请求体中断，或不是完整的 multipart/form-data。' },
  FILE_UNAVAILABLE: { status: 502, message: '文件暂时无法读取', doc: '文件存储不可用。' },
  CAPTURE_REFUSED: { status: 400, message: '无法抓取该图片', doc: '远程地址不在公网、经重定向离开公网、过慢或无法读取。' },
  IMPORT_FAULT: { status: 400, message: '导入文件有误', doc: '文件无法读取，或表头不符。' },
  IMPORT_DONE: { status: 409, message: '该导入已处理', doc: '导入已提交。' },
  JOB_NOT_READY: { status: 409, message: '任务尚未完成', doc: '导出任务未完成。' },
  UNKNOWN_REPORT: { status: 404, message: '报表不存在', doc: '没有这个报表，或无权查看。' },
  // External providers
  SMS_NOT_CONFIGURED: { status: 409, message: '未配置短信服务，不能发送短信，请联系系统管理员', doc: '生产环境没有设置 ERP_SMS_URL：须发送短信的操作不执行。' },
  SMS_FAILED: { status: 502, message: '短信发送失败，请稍后再试', doc: '短信服务不可用。' },
  INVOICE_NOT_FOUND: { status: 400, message: '查无此票，或所填内容与发票不一致，请核对后再查', doc: '查验来源没有该发票，或日期、金额、校验码、税号之一不符；不说明是哪一项。' },
  INVOICE_PROVIDER_FAILED: { status: 502, message: '发票查验服务暂不可用，请稍后再试', doc: '查验服务不可用。' },
  // The server
  TIMEOUT: { status: 504, message: '查询超时，请缩小范围后重试', doc: '语句超时。' },
  UNAVAILABLE: { status: 503, message: '服务暂不可用，请稍后再试', doc: '数据库不可用，或服务正在启动、停止。' },
  DISK_FULL: { status: 507, message: '存储空间不足，请联系管理员', doc: '数据库或文件存储已满。' },
  INTERNAL: { status: 500, message: '服务器出错', doc: '未预料的错误；日志中以 requestId 查找。' },
} as const satisfies Record<string, CatalogueEntry>; // prettier-ignore

export type ErrorCode = keyof typeof ERRORS;

/** A refusal of the catalogue: what a caller cannot continue from. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly problems: readonly FieldProblem[];
  readonly current: unknown;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const entry: CatalogueEntry = ERRORS[code];
    super(
      details.message ?? fill(entry.message, details.params ?? {}),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'AppError';
    this.code = code;
    this.status = entry.status;
    this.problems = firstProblems(details.problems ?? []);
    this.current = details.current;
    this.retryAfterS = details.retryAfterS;
  }
}

function fill(message: string, params: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
