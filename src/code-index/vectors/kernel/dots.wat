;; Dot products of one query with many rows.
;;
;; The query holds 16-bit words, each row 8-bit words, both `stride` long; `stride` is a multiple of 32 and is padded with
;; zeros. One 32-bit word per row is written to `out`. Four accumulators keep the multipliers busy.
(module
  (memory (export "memory") 1)
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $q i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $rows) (local.get $stride)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $part
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (v128.load (local.get $q)) (v128.load8x8_s (local.get $rows)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q)) (v128.load8x8_s offset=8 (local.get $rows)))))
          (local.set $c (i32x4.add (local.get $c)
            (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $q)) (v128.load8x8_s offset=16 (local.get $rows)))))
          (local.set $d (i32x4.add (local.get $d)
            (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $q)) (v128.load8x8_s offset=24 (local.get $rows)))))
          (local.set $q (i32.add (local.get $q) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
          (br_if $part (i32.lt_u (local.get $rows) (local.get $end))))
        (local.set $a (i32x4.add
          (i32x4.add (local.get $a) (local.get $b))
          (i32x4.add (local.get $c) (local.get $d))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $row)))))
