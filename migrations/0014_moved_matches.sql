-- Boards out of which a large match was taken and whose places are not counted anew yet, as a JSON list.
ALTER TABLE settlements ADD COLUMN stale_boards TEXT NOT NULL DEFAULT '[]';

-- Large matches that were moved to another week left wrong places in the old one; nobody counts meanwhile.
UPDATE boards_lock SET turns = turns + 1 WHERE id = 1;
DELETE FROM standing_counts;
INSERT INTO standing_counts (board_id, points, users)
SELECT board_id, points, count(*) FROM standings GROUP BY board_id, points;
