SELECT status, COUNT(*) AS orders, SUM(total) AS revenue FROM orders GROUP BY status ORDER BY revenue DESC, status;

SELECT DATE(placed_at) AS day, COUNT(*) AS orders FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-02-01' GROUP BY day ORDER BY day;

SELECT YEAR(placed_at) AS y, MONTH(placed_at) AS m, SUM(total) AS revenue FROM orders WHERE status <> 'cancelled' GROUP BY y, m ORDER BY y, m;

SELECT DATE_FORMAT(placed_at, '%Y-%m') AS month, channel, SUM(total) AS revenue FROM orders WHERE status IN ('paid', 'shipped') GROUP BY month, channel ORDER BY month, channel;

SELECT id, email, created_at FROM customers WHERE deleted_at IS NULL ORDER BY created_at DESC, id LIMIT 20;

SELECT c.id, c.name, SUM(o.total) AS spent FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY spent DESC, c.id LIMIT 10;

SELECT c.id, c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL ORDER BY c.id;

SELECT c.id, c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) ORDER BY c.id;

SELECT id, name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders) ORDER BY id;

SELECT p.id, p.name FROM products p WHERE p.id NOT IN (SELECT product_id FROM order_items) AND p.status = 'active' ORDER BY p.id;

SELECT c.country, COUNT(DISTINCT c.id) AS buyers, COUNT(*) AS orders FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.country IS NOT NULL GROUP BY c.country ORDER BY buyers DESC, c.country;

SELECT COALESCE(country, 'unknown') AS country, COUNT(*) AS customers FROM customers GROUP BY COALESCE(country, 'unknown') ORDER BY customers DESC, country;

SELECT p.id, p.name, SUM(i.quantity) AS sold, SUM(i.quantity * i.unit_price) AS revenue FROM products p JOIN order_items i ON i.product_id = p.id GROUP BY p.id, p.name ORDER BY revenue DESC, p.id LIMIT 25;

SELECT p.id, p.name, COALESCE(SUM(i.quantity), 0) AS sold FROM products p LEFT JOIN order_items i ON i.product_id = p.id GROUP BY p.id, p.name ORDER BY sold, p.id;

SELECT g.name AS category, COUNT(p.id) AS products FROM categories g LEFT JOIN products p ON p.category_id = g.id AND p.status = 'active' GROUP BY g.id, g.name ORDER BY products DESC, g.name;

-- unstable-pages
SELECT g.name, AVG(p.price) AS average_price FROM categories g JOIN products p ON p.category_id = g.id GROUP BY g.id, g.name ORDER BY g.name;

SELECT o.id, o.total, (SELECT SUM(y.amount) FROM payments y WHERE y.order_id = o.id AND y.paid_at IS NOT NULL) AS paid FROM orders o WHERE o.status = 'open' ORDER BY o.id;

SELECT o.id, o.total, COALESCE(p.paid, 0) AS paid, COALESCE(r.refunded, 0) AS refunded
FROM orders o
LEFT JOIN (SELECT order_id, SUM(amount) AS paid FROM payments WHERE paid_at IS NOT NULL GROUP BY order_id) p ON p.order_id = o.id
LEFT JOIN (SELECT order_id, SUM(amount) AS refunded FROM refunds GROUP BY order_id) r ON r.order_id = o.id
ORDER BY o.id LIMIT 100;

SELECT SUM(o.total) AS revenue, SUM(COALESCE(p.paid, 0)) AS paid FROM orders o LEFT JOIN (SELECT order_id, SUM(amount) AS paid FROM payments GROUP BY order_id) p ON p.order_id = o.id WHERE o.placed_at >= '2024-01-01';

SELECT customer_id, id, total FROM (SELECT customer_id, id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) AS place FROM orders) x WHERE place = 1 ORDER BY customer_id;

SELECT day, revenue, SUM(revenue) OVER (ORDER BY day) AS running FROM (SELECT DATE(placed_at) AS day, SUM(total) AS revenue FROM orders GROUP BY DATE(placed_at)) d ORDER BY day;

WITH monthly AS (SELECT DATE_FORMAT(placed_at, '%Y-%m') AS month, SUM(total) AS revenue FROM orders GROUP BY DATE_FORMAT(placed_at, '%Y-%m'))
SELECT month, revenue, revenue - LAG(revenue) OVER (ORDER BY month) AS growth FROM monthly ORDER BY month;

WITH first_orders AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id)
SELECT DATE_FORMAT(first_at, '%Y-%m') AS cohort, COUNT(*) AS customers FROM first_orders GROUP BY cohort ORDER BY cohort;

WITH first_orders AS (SELECT customer_id, MIN(placed_at) AS first_at FROM orders GROUP BY customer_id)
SELECT DATE_FORMAT(f.first_at, '%Y-%m') AS cohort, TIMESTAMPDIFF(MONTH, f.first_at, o.placed_at) AS age, COUNT(DISTINCT o.customer_id) AS active
FROM first_orders f JOIN orders o ON o.customer_id = f.customer_id GROUP BY cohort, age ORDER BY cohort, age;

SELECT 'order' AS kind, id, placed_at AS at FROM orders UNION ALL SELECT 'refund', id, refunded_at FROM refunds ORDER BY at DESC, kind, id LIMIT 50;

SELECT SUM(amount) AS net FROM (SELECT amount FROM payments WHERE paid_at IS NOT NULL UNION ALL SELECT -amount FROM refunds) x;

SELECT COUNT(*) AS people FROM (SELECT customer_id FROM orders UNION SELECT customer_id FROM reviews WHERE customer_id IS NOT NULL) x;

SELECT email FROM customers WHERE segment = 'business' UNION SELECT email FROM customers WHERE country = 'DE' ORDER BY email;

SELECT status, COUNT(*) * 100 / SUM(COUNT(*)) OVER () AS percent FROM orders GROUP BY status ORDER BY status;

SELECT SUM(status = 'cancelled') / COUNT(*) AS cancelled_share FROM orders WHERE placed_at >= '2024-01-01';

SELECT SUM(CASE WHEN status = 'returned' THEN total ELSE 0 END) AS returned, SUM(total) AS total FROM orders;

SELECT COUNT(*) AS orders, COUNT(shipped_at) AS shipped, COUNT(coupon_id) AS with_coupon FROM orders;

SELECT channel, COUNT(*) AS orders, COUNT(shipped_at) AS shipped, COUNT(shipped_at) / COUNT(*) AS share FROM orders GROUP BY channel ORDER BY channel;

SELECT rating, COUNT(*) AS reviews, COUNT(comment) AS with_comment FROM reviews GROUP BY rating ORDER BY rating;

SELECT p.id, p.name, AVG(r.rating) AS rating, COUNT(*) AS reviews FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id, p.name HAVING COUNT(*) >= 5 ORDER BY rating DESC, reviews DESC, p.id;

SELECT p.id, p.name, s.rating, s.reviews, t.sold FROM products p
LEFT JOIN (SELECT product_id, AVG(rating) AS rating, COUNT(*) AS reviews FROM reviews GROUP BY product_id) s ON s.product_id = p.id
LEFT JOIN (SELECT product_id, SUM(quantity) AS sold FROM order_items GROUP BY product_id) t ON t.product_id = p.id
ORDER BY p.id;

SELECT w.name, SUM(s.on_hand) AS pieces, COUNT(*) AS products FROM warehouses w JOIN stock s ON s.warehouse_id = w.id GROUP BY w.id, w.name ORDER BY w.name;

SELECT p.sku, SUM(s.on_hand - COALESCE(s.reserved, 0)) AS available FROM products p JOIN stock s ON s.product_id = p.id GROUP BY p.id, p.sku HAVING available < 10 ORDER BY available, p.sku;

SELECT p.sku, p.price, p.cost, (p.price - p.cost) / p.price AS margin FROM products p WHERE p.cost IS NOT NULL AND p.price > 0 ORDER BY margin, p.sku;

SELECT sku, price / NULLIF(cost, 0) AS markup FROM products WHERE cost <> 0 ORDER BY markup DESC, sku;

SELECT a.id AS first_id, b.id AS second_id, a.name FROM products a JOIN products b ON b.name = a.name AND b.id > a.id ORDER BY a.id, b.id;

SELECT i.product_id AS one, j.product_id AS other, COUNT(*) AS together FROM order_items i JOIN order_items j ON j.order_id = i.order_id AND j.product_id > i.product_id GROUP BY one, other ORDER BY together DESC, one, other LIMIT 20;

SELECT c.id, c.name, r.name AS referrer FROM customers c LEFT JOIN customers r ON r.id = c.referrer_id ORDER BY c.id;

SELECT r.id, r.name, COUNT(*) AS referred FROM customers c JOIN customers r ON r.id = c.referrer_id GROUP BY r.id, r.name ORDER BY referred DESC, r.id;

SELECT g.name, p.name AS parent FROM categories g LEFT JOIN categories p ON p.id = g.parent_id ORDER BY g.name, g.id;

WITH RECURSIVE tree AS (SELECT id, parent_id, name, 0 AS depth FROM categories WHERE parent_id IS NULL UNION ALL SELECT g.id, g.parent_id, g.name, t.depth + 1 FROM categories g JOIN tree t ON g.parent_id = t.id)
SELECT id, name, depth FROM tree ORDER BY depth, name, id;

SELECT o.id, GROUP_CONCAT(p.name ORDER BY i.line_no SEPARATOR ', ') AS products FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id GROUP BY o.id ORDER BY o.id;

-- unstable-pages
SELECT g.name, GROUP_CONCAT(DISTINCT p.status ORDER BY p.status) AS statuses FROM categories g JOIN products p ON p.category_id = g.id GROUP BY g.id, g.name ORDER BY g.name;

SELECT AVG(items) AS items_per_order FROM (SELECT order_id, COUNT(*) AS items FROM order_items GROUP BY order_id) x;

SELECT AVG(spent) AS average_customer_value FROM (SELECT customer_id, SUM(total) AS spent FROM orders GROUP BY customer_id) x;

SELECT segment, AVG(orders) AS orders_per_customer FROM (SELECT c.id, c.segment, COUNT(o.id) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.segment) x GROUP BY segment ORDER BY segment;

SELECT method, SUM(amount) AS amount, COUNT(*) AS payments FROM payments WHERE paid_at BETWEEN '2024-01-01 00:00:00' AND '2024-01-31 23:59:59' GROUP BY method ORDER BY method;

SELECT o.channel, SUM(y.amount) AS paid FROM orders o JOIN payments y ON y.order_id = o.id WHERE y.paid_at IS NOT NULL GROUP BY o.channel ORDER BY o.channel;

SELECT o.id FROM orders o WHERE o.total > (SELECT AVG(total) FROM orders) ORDER BY o.id;

SELECT o.id, o.customer_id, o.total FROM orders o WHERE o.total > (SELECT AVG(i.total) FROM orders i WHERE i.customer_id = o.customer_id) ORDER BY o.id;

SELECT o.id, o.placed_at, MIN(y.paid_at) AS first_payment FROM orders o LEFT JOIN payments y ON y.order_id = o.id GROUP BY o.id, o.placed_at ORDER BY o.id;

SELECT DAYOFWEEK(placed_at) AS weekday, HOUR(placed_at) AS hour, COUNT(*) AS orders FROM orders GROUP BY weekday, hour ORDER BY weekday, hour;

SELECT YEAR(placed_at) AS y, WEEK(placed_at, 3) AS w, COUNT(*) AS orders FROM orders GROUP BY y, w ORDER BY y, w;

SELECT YEARWEEK(placed_at, 3) AS week, SUM(total) AS revenue FROM orders GROUP BY week ORDER BY week;

SELECT WEEK(placed_at, 3) AS week, SUM(total) AS revenue FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2025-01-01' GROUP BY week ORDER BY week;

SELECT DATE_FORMAT(placed_at, '%d.%m.%Y %H:%i') AS placed, id FROM orders ORDER BY id;

SELECT DATE_FORMAT(placed_at, '%h:%i %p') AS clock, id FROM orders ORDER BY id;

SELECT x.orders, y.refunds FROM (SELECT COUNT(*) AS orders FROM orders) x CROSS JOIN (SELECT COUNT(*) AS refunds FROM refunds) y;

SELECT o.id, o.total / s.revenue AS share FROM orders o, (SELECT SUM(total) AS revenue FROM orders) s ORDER BY share DESC, o.id LIMIT 10;

SELECT o.id, c.name FROM orders o, customers c WHERE c.id = o.customer_id AND o.status = 'open' ORDER BY o.id;

SELECT d.day, w.name FROM (SELECT DISTINCT DATE(placed_at) AS day FROM orders) d CROSS JOIN warehouses w ORDER BY d.day, w.name;

SELECT c.id, c.name, x.total FROM customers c JOIN orders x ON x.customer_id = c.id WHERE x.id = (SELECT MAX(o.id) FROM orders o WHERE o.customer_id = c.id) ORDER BY c.id;

SELECT id, total, NTILE(4) OVER (ORDER BY total, id) AS quartile FROM orders ORDER BY id;

SELECT id, customer_id, total, RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) AS place FROM orders ORDER BY customer_id, place, id;

SELECT category_id, name, price FROM (SELECT id, category_id, name, price, DENSE_RANK() OVER (PARTITION BY category_id ORDER BY price DESC) AS place FROM products WHERE category_id IS NOT NULL) x WHERE place <= 3 ORDER BY category_id, price DESC, name;

SELECT id, placed_at, FIRST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS first_total FROM orders ORDER BY id;

SELECT id, LAST_VALUE(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_total FROM orders ORDER BY id;

SELECT id, total, AVG(total) OVER (ORDER BY placed_at, id ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS moving FROM orders ORDER BY placed_at, id;

SELECT coupon_id, COUNT(*) AS uses FROM orders WHERE coupon_id IS NOT NULL AND coupon_id <> 1 GROUP BY coupon_id ORDER BY uses DESC, coupon_id;

SELECT k.code, COUNT(o.id) AS uses, COALESCE(SUM(o.total), 0) AS revenue FROM coupons k LEFT JOIN orders o ON o.coupon_id = k.id AND o.status <> 'cancelled' GROUP BY k.id, k.code ORDER BY uses DESC, k.code;

SELECT code FROM coupons WHERE ends_on IS NULL OR ends_on >= '2024-06-01' ORDER BY code;

SELECT o.id, COALESCE(k.code, '-') AS code FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE COALESCE(k.percent, 0) < 50 ORDER BY o.id;

SELECT o.id, k.code FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE k.id IS NULL OR k.percent < 20 ORDER BY o.id;

SELECT o.id FROM orders o LEFT JOIN refunds r ON r.order_id = o.id WHERE r.id IS NOT NULL ORDER BY o.id;

SELECT DISTINCT o.customer_id FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE p.sku LIKE 'TEA-%' ORDER BY o.customer_id;

SELECT id, TIMESTAMPDIFF(HOUR, placed_at, shipped_at) AS hours FROM orders WHERE shipped_at IS NOT NULL ORDER BY hours DESC, id LIMIT 30;

SELECT channel, AVG(TIMESTAMPDIFF(HOUR, placed_at, shipped_at)) AS hours FROM orders WHERE shipped_at IS NOT NULL GROUP BY channel ORDER BY channel;

SELECT 10 * (total DIV 10) AS bucket, COUNT(*) AS orders FROM orders GROUP BY bucket ORDER BY bucket;

SELECT FLOOR(price / 50) * 50 AS bucket, COUNT(*) AS products FROM products GROUP BY bucket ORDER BY bucket;

SELECT c.id, c.name, COUNT(o.id) AS orders, MAX(o.placed_at) AS latest FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name HAVING COUNT(o.id) = 0 OR MAX(o.placed_at) < '2023-01-01' ORDER BY c.id;

SELECT o.id, SUM(i.quantity * i.unit_price - COALESCE(i.discount, 0)) AS computed, MAX(o.total) AS recorded FROM orders o JOIN order_items i ON i.order_id = o.id GROUP BY o.id HAVING computed <> recorded ORDER BY o.id;

SELECT c.segment, COUNT(DISTINCT o.id) AS orders, SUM(i.quantity) AS pieces FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id GROUP BY c.segment ORDER BY c.segment;

SELECT x.month, x.orders, r.refunds FROM (SELECT DATE_FORMAT(placed_at, '%Y-%m') AS month, COUNT(*) AS orders FROM orders GROUP BY month) x LEFT JOIN (SELECT DATE_FORMAT(refunded_at, '%Y-%m') AS month, COUNT(*) AS refunds FROM refunds GROUP BY month) r ON r.month = x.month ORDER BY x.month;

SELECT o.id FROM orders o WHERE o.status = 'paid' AND NOT EXISTS (SELECT 1 FROM payments y WHERE y.order_id = o.id AND y.paid_at IS NOT NULL) ORDER BY o.id;

SELECT id, CASE WHEN total >= 500 THEN 'large' WHEN total >= 100 THEN 'medium' ELSE 'small' END AS size FROM orders ORDER BY id;

SELECT CASE WHEN total >= 500 THEN 'large' ELSE 'small' END AS size, COUNT(*) AS orders FROM orders GROUP BY size ORDER BY size;

-- unstable-pages
SELECT o.channel, o.status, COUNT(*) AS orders FROM orders o GROUP BY o.channel, o.status WITH ROLLUP;

SELECT r.reason, COUNT(*) AS refunds FROM refunds r GROUP BY r.reason ORDER BY refunds DESC, r.reason;

SELECT id, reason FROM refunds WHERE reason IS NULL OR reason <> 'damaged' ORDER BY id;

SELECT id FROM refunds WHERE COALESCE(reason, '') <> 'damaged' ORDER BY id;

SELECT id FROM refunds WHERE NOT (reason <=> 'damaged') ORDER BY id;

SELECT SUM(reason = 'damaged') AS damaged, SUM(reason <> 'damaged') AS other_known, SUM(reason IS NULL) AS unknown FROM refunds;

SELECT p.sku FROM products p JOIN stock s ON s.product_id = p.id JOIN warehouses w ON w.id = s.warehouse_id WHERE w.city = 'Oslo' AND s.on_hand > 0 ORDER BY p.sku;

SELECT MAX(total) AS largest, MIN(total) AS smallest, AVG(total) AS average FROM orders WHERE placed_at >= '2024-03-01';

SELECT o.id, o.total FROM orders o JOIN (SELECT id FROM orders ORDER BY total DESC, id LIMIT 5) t ON t.id = o.id ORDER BY o.total DESC, o.id;

SELECT c.id, o.id AS order_id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL OR NOT (o.status = 'cancelled') ORDER BY c.id, o.id;

SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE (k.percent > 50) IS NOT TRUE ORDER BY o.id;

SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE IF(k.id IS NULL, 0, k.percent) < 10 ORDER BY o.id;

SELECT o.id FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id WHERE CASE WHEN k.percent > 20 THEN 'high' ELSE 'low' END = 'low' ORDER BY o.id;

SELECT o.id FROM orders o LEFT JOIN refunds r ON r.order_id = o.id WHERE o.total > 100 OR r.amount > 50 ORDER BY o.id, r.id;

SELECT c.id, COUNT(o.id) AS orders, COUNT(*) AS joined_rows FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY c.id;

SELECT COUNT(*) AS customers FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL;

SELECT SUM(o.total) AS unpaid FROM orders o LEFT JOIN payments y ON y.order_id = o.id WHERE y.id IS NULL;

SELECT c.segment, COUNT(*) AS silent FROM customers c LEFT JOIN reviews r ON r.customer_id = c.id WHERE r.id IS NULL GROUP BY c.segment ORDER BY c.segment;

SELECT k.code, COUNT(*) AS orders FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id GROUP BY k.code ORDER BY orders DESC, k.code;

SELECT o.channel, COUNT(*) AS orders FROM orders o LEFT JOIN coupons k ON k.id = o.coupon_id GROUP BY o.channel ORDER BY o.channel;

SELECT a.id, COUNT(*) AS place FROM products a LEFT JOIN products b ON b.price >= a.price GROUP BY a.id ORDER BY place, a.id;

SELECT SUM(n) AS people FROM (SELECT customer_id, 1 AS n FROM orders UNION SELECT customer_id, 1 FROM reviews WHERE customer_id IS NOT NULL) x;

SELECT SUM(total) AS total FROM (SELECT id, total FROM orders WHERE channel = 'web' UNION SELECT id, total FROM orders WHERE total > 100) x;

SELECT kind, SUM(amount) AS amount FROM (SELECT 'payment' AS kind, id, amount FROM payments UNION SELECT 'refund', id, amount FROM refunds) x GROUP BY kind ORDER BY kind;

SELECT c.name, SUM(o.total) AS total FROM customers c JOIN (orders o JOIN coupons k ON k.id = o.coupon_id) ON o.customer_id = c.id WHERE k.percent >= 20 GROUP BY c.id, c.name ORDER BY total DESC, c.id;

SELECT c.id, o.id AS order_id, k.code FROM customers c LEFT JOIN (orders o JOIN coupons k ON k.id = o.coupon_id) ON o.customer_id = c.id ORDER BY c.id, o.id;

WITH bounds AS (SELECT MIN(placed_at) AS first_at, MAX(placed_at) AS last_at FROM orders) SELECT r.id FROM refunds r, bounds b WHERE r.refunded_at BETWEEN b.first_at AND b.last_at ORDER BY r.id;

WITH settings AS (SELECT 0.25 AS rate, 100 AS free_from) SELECT o.id, o.total * (1 + s.rate) AS gross FROM orders o JOIN settings s ORDER BY o.id;

SELECT s.status, COUNT(o.id) AS orders FROM (SELECT 'open' AS status UNION ALL SELECT 'paid' UNION ALL SELECT 'shipped') s LEFT JOIN orders o ON o.status = s.status GROUP BY s.status ORDER BY s.status;

SELECT a.n + 10 * b.n AS number FROM (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) a, (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) b ORDER BY number;

SELECT o.id, c.name FROM orders o, customers c WHERE o.customer_id = 7 AND c.id = 7 ORDER BY o.id;

SELECT o.id, y.id AS payment FROM orders o JOIN payments y ON TRUE WHERE y.order_id = o.id ORDER BY o.id, y.id;

SELECT o.id, (SELECT y.method FROM payments y WHERE y.order_id = o.id ORDER BY y.paid_at DESC, y.id DESC LIMIT 1) AS latest_method FROM orders o ORDER BY o.id;

SELECT c.id, IF(EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id LIMIT 1), 1, 0) AS has_ordered FROM customers c ORDER BY c.id;

SELECT p.sku, (SELECT g.name FROM categories g WHERE g.id = p.category_id LIMIT 1) AS category FROM products p ORDER BY p.sku;

SELECT (SELECT COUNT(*) FROM orders LIMIT 1) AS orders, (SELECT SUM(amount) FROM refunds LIMIT 1) AS refunded;

SELECT id, COALESCE(reason, 'none') AS reason FROM refunds WHERE COALESCE(reason, 'none') NOT IN ('lost', 'damaged') ORDER BY id;

SELECT reason, COUNT(*) AS refunds FROM refunds WHERE reason <> 'lost' GROUP BY reason ORDER BY reason;

SELECT id FROM refunds WHERE reason NOT IN ('lost', 'damaged') AND reason LIKE 'late%' ORDER BY id;

SELECT id, country FROM customers WHERE country <> '' ORDER BY id;

SELECT id FROM orders WHERE status <> 'cancelled' AND status <> 'returned' AND channel NOT IN ('test', 'internal') ORDER BY id;

SELECT id FROM orders WHERE status = 'PAID' OR status IN ('Shipped', 'open') ORDER BY id;

SELECT id, CASE status WHEN 'open' THEN 1 WHEN 'paid' THEN 2 ELSE 3 END AS step FROM orders ORDER BY id;

SELECT id, FIELD(status, 'open', 'paid', 'shipped') AS step FROM orders ORDER BY step, id;

SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE country = 'NO') ORDER BY id;

SELECT c.id FROM customers c WHERE c.id IN (SELECT o.customer_id FROM orders o WHERE o.placed_at > c.created_at) ORDER BY c.id;

SELECT customer_id, ROW_NUMBER() OVER (ORDER BY SUM(total) DESC) AS place, SUM(total) AS spent FROM orders GROUP BY customer_id ORDER BY place;

SELECT x.email FROM (SELECT email, ROW_NUMBER() OVER (PARTITION BY email ORDER BY created_at DESC) AS n FROM customers) x WHERE x.n = 1 ORDER BY x.email;

SELECT customer_id, total FROM (SELECT customer_id, total, RANK() OVER (PARTITION BY customer_id ORDER BY total DESC) AS place FROM orders) x WHERE place = 1 ORDER BY customer_id, total;

SELECT DATE_FORMAT(placed_at, '%l %p') AS clock, COUNT(*) AS orders FROM orders GROUP BY clock ORDER BY clock;

SELECT DATE_FORMAT(placed_at, '%M %Y') AS month, DATE_FORMAT(placed_at, '%r') AS clock, id FROM orders ORDER BY id;

SELECT SUM(total) DIV 1000 AS thousands FROM orders;

SELECT channel, SUM(TIMESTAMPDIFF(MINUTE, placed_at, shipped_at)) DIV 60 AS hours FROM orders WHERE shipped_at IS NOT NULL GROUP BY channel ORDER BY channel;

SELECT channel, AVG(total) AS average FROM orders GROUP BY channel HAVING AVG(total) > (SELECT AVG(total) FROM orders) ORDER BY channel;

SELECT MAX(average) - MIN(average) AS spread FROM (SELECT channel, AVG(total) AS average FROM orders GROUP BY channel) x;

SELECT o.channel, SUM(c.segment = 'business') AS business, SUM(CASE WHEN c.country = 'NO' THEN 1 ELSE 0 END) AS norwegian, COUNT(IF(c.deleted_at IS NULL, 1, NULL)) AS active FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY o.channel ORDER BY o.channel;

SELECT o.id FROM orders o WHERE EXISTS (SELECT 1 FROM payments y, refunds r WHERE y.order_id = o.id AND r.order_id = o.id AND r.amount > 10) ORDER BY o.id;

SELECT c.id FROM customers c WHERE EXISTS (SELECT 1 FROM orders o JOIN reviews r WHERE o.customer_id = c.id AND r.customer_id = c.id) ORDER BY c.id;

SELECT o.id FROM orders o WHERE o.total > ALL (SELECT r.amount FROM refunds r WHERE r.order_id = o.id) ORDER BY o.id;
